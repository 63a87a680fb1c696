# For find_package(sm5vk), with -Dsm5vk_DIR=$(sm5vk --cmake-dir)
include("${CMAKE_CURRENT_LIST_DIR}/sm5vk.cmake")
