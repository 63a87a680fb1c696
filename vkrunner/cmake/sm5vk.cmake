# sm5vk_add_shaders(): translates shaders to SPIR-V as a part of a build (docs/builds.md).

include_guard(GLOBAL)
cmake_policy(VERSION 3.20...3.31)

# Beside the package in an environment, or in a clone; else in the absolute folders of PATH
set(_sm5vk_folders "${CMAKE_CURRENT_LIST_DIR}/../../.venv/bin")
if(CMAKE_CURRENT_LIST_DIR MATCHES "/lib[^/]*/python[^/]*/(site|dist)-packages/vkrunner/cmake$")
    set(_sm5vk_folders "${CMAKE_CURRENT_LIST_DIR}/../../../../../bin")
endif()
string(REPLACE ":" ";" _sm5vk_path "$ENV{PATH}")
list(FILTER _sm5vk_path INCLUDE REGEX "^/")
list(APPEND _sm5vk_folders ${_sm5vk_path})
find_program(
    SM5VK_EXECUTABLE sm5vk
    HINTS ${_sm5vk_folders}
    DOC "The command sm5vk"
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED
)
set(SM5VK_FXC "$ENV{SM5VK_FXC}" CACHE STRING "The command that compiles HLSL; empty: fxc on PATH")

# Stop unless the command is that of this package; note the translator's source, on which all
# modules depend, and have the outputs of removed shaders deleted.
function(_sm5vk_begin)
    execute_process(
        COMMAND "${SM5VK_EXECUTABLE}" --cmake-dir
        OUTPUT_VARIABLE folder
        OUTPUT_STRIP_TRAILING_WHITESPACE
        RESULT_VARIABLE code
    )
    file(REAL_PATH "${folder}" folder)
    file(REAL_PATH "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" here)
    if(NOT code EQUAL 0 OR NOT folder STREQUAL here)
        message(
            FATAL_ERROR
            "${SM5VK_EXECUTABLE} is not the command of the package with ${here}: set sm5vk_DIR to"
            " what `sm5vk --cmake-dir` prints, or SM5VK_EXECUTABLE to the package's command"
        )
    endif()
    execute_process(COMMAND "${SM5VK_EXECUTABLE}" translate --help OUTPUT_VARIABLE help)
    string(REGEX MATCHALL "--[a-z0-9-]+" options "${help}")
    set_property(GLOBAL PROPERTY SM5VK_OPTIONS "${options}")
    cmake_path(SET root NORMALIZE "${here}/../..")
    file(GLOB_RECURSE files "${root}/translate/*.py" "${root}/vkrunner/*.py")
    set(digests "")
    foreach(file IN LISTS files)
        file(SHA256 "${file}" digest)
        string(APPEND digests "${digest}")
    endforeach()
    string(SHA256 digest "${digests}")
    set_property(GLOBAL PROPERTY SM5VK_TRANSLATOR "${digest}")
    set_property(
        DIRECTORY "${CMAKE_SOURCE_DIR}"
        APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${SM5VK_EXECUTABLE}" ${files}
    )
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _sm5vk_end)
endfunction()

# Delete the files that the last configuration declared and this one does not.
function(_sm5vk_end)
    set(list "${CMAKE_BINARY_DIR}/CMakeFiles/sm5vk-outputs.txt")
    if(EXISTS "${list}")
        file(READ "${list}" former)  # not STRINGS, which splits at bytes that are not UTF-8
        string(REPLACE "\n" ";" former "${former}")
        foreach(path IN LISTS former)
            get_property(is_output GLOBAL PROPERTY "SM5VK_SOURCE_OF ${path}" SET)
            if(NOT is_output AND path MATCHES "^/.*\\.(spv|json|d)$")
                file(REMOVE "${path}")
            endif()
        endforeach()
    endif()
    get_property(outputs GLOBAL PROPERTY SM5VK_OUTPUTS)
    list(JOIN outputs "\n" text)
    file(WRITE "${list}" "${text}")
endfunction()

# The name of a source's outputs: its path below one of the folders, else its file name.
function(_sm5vk_name variable source)
    foreach(folder IN LISTS ARGN)
        cmake_path(IS_PREFIX folder "${source}" NORMALIZE is_below)
        if(is_below)
            cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${folder}")
            set(${variable} "${source}" PARENT_SCOPE)
            return()
        endif()
    endforeach()
    cmake_path(GET source FILENAME source)
    set(${variable} "${source}" PARENT_SCOPE)
endfunction()

# The keyword that a word is in the singular or plural; else "".
function(_sm5vk_keyword variable word)
    set(${variable} "" PARENT_SCOPE)
    string(REGEX REPLACE "(IES|Y|S)$" "" word_stem "${word}")
    foreach(keyword IN LISTS ARGN)
        string(REGEX REPLACE "(IES|Y|S)$" "" stem "${keyword}")
        if(word_stem STREQUAL stem)
            set(${variable} "${keyword}" PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# sm5vk_add_shaders(
#     TARGET name                   a target that has the modules; the default target has it
#     SOURCES file...               HLSL, DXBC containers and listings
#     [OUTPUT_DIRECTORY folder]     gets folder/SOURCE.spv; default: CMAKE_CURRENT_BINARY_DIR
#     [BASE_DIRECTORY folder]       SOURCE is relative to it; default: CMAKE_CURRENT_SOURCE_DIR
#     [INTERFACES]                  also writes folder/SOURCE.json
#     [LAYOUT class=set:binding,...]
#     [OPTIONS option...]           further options of `sm5vk translate`
#     [DEFINES name[=value]...]     these three are for HLSL only
#     [INCLUDE_DIRECTORIES folder...]
#     [HLSL_OPTIONS option...]      --entry, --profile, -O3, --fxc-flags=...
#     [DEPENDS file...]             further files that the modules depend on
#     [EXCLUDE_FROM_ALL]            the default target does not have the target
# )
# The target's properties SM5VK_MODULES and SM5VK_INTERFACES have the paths of its outputs.
function(sm5vk_add_shaders)
    set(lists SOURCES OPTIONS DEFINES INCLUDE_DIRECTORIES HLSL_OPTIONS DEPENDS)
    set(singles TARGET OUTPUT_DIRECTORY BASE_DIRECTORY LAYOUT)
    set(flags INTERFACES EXCLUDE_FROM_ALL)
    cmake_parse_arguments(PARSE_ARGV 0 arg "${flags}" "${singles}" "${lists}")
    set(error FATAL_ERROR "sm5vk_add_shaders(${arg_TARGET}): ")
    # The UTF-8 of what `escaped` of translate/errors.py escapes, as logs would have it: controls,
    # line separators, marks that change the direction of text, commands of CI; other bytes
    foreach(byte IN ITEMS 1 31 127 128 129 142 143 156 159 166 168 169 174 191 194 216 223 224 226
            239 240 247)
        string(ASCII ${byte} b${byte})
    endforeach()
    set(hidden "[${b1}-${b31}${b127}]|${b194}[${b128}-${b159}]|${b216}${b156}")
    string(APPEND hidden "|${b226}${b128}[${b142}${b143}${b168}-${b174}]")
    string(APPEND hidden "|${b226}${b129}[${b166}-${b169}]|##[a-z]*\\[")
    set(next "[${b128}-${b191}]")
    string(APPEND hidden "|(^|[${b1}-${b127}])${next}|[${b194}-${b223}]${next}${next}")
    string(APPEND hidden "|[${b224}-${b239}]${next}${next}${next}")
    string(APPEND hidden "|[${b240}-${b247}]${next}${next}${next}${next}")
    if("${arg_UNPARSED_ARGUMENTS}" MATCHES "^[a-z.]+=[0-9]" AND DEFINED arg_LAYOUT)
        list(JOIN arg_UNPARSED_ARGUMENTS "," rest)
        message(${error} "LAYOUT has spaces: write ${arg_LAYOUT},${rest}")
    elseif(DEFINED arg_UNPARSED_ARGUMENTS)
        message(${error} "unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    foreach(keyword IN LISTS singles ITEMS SOURCES)
        if(keyword IN_LIST arg_KEYWORDS_MISSING_VALUES AND keyword STREQUAL "SOURCES")
            message(${error} "SOURCES has no value: did a file(GLOB) find no file?")
        elseif(keyword IN_LIST arg_KEYWORDS_MISSING_VALUES)
            message(${error} "${keyword} has no value")
        endif()
    endforeach()
    if(NOT DEFINED arg_TARGET OR NOT DEFINED arg_SOURCES)
        message(${error} "TARGET and SOURCES are needed")
    endif()
    foreach(keyword IN ITEMS SOURCES DEFINES INCLUDE_DIRECTORIES DEPENDS)
        foreach(value IN LISTS arg_${keyword})
            if(value MATCHES ";")
                string(REGEX REPLACE "${hidden}" "?" value "${value}")
                message(${error} "${keyword}: '${value}' has a semicolon or a lone bracket, which"
                        " CMake's lists cannot hold")
            endif()
        endforeach()
    endforeach()
    foreach(keyword IN LISTS singles)
        if("${arg_${keyword}}" MATCHES ";")
            message(${error} "${keyword} has a semicolon, which CMake's lists cannot hold")
        endif()
    endforeach()
    foreach(option IN LISTS arg_OPTIONS)
        if(option MATCHES "^(-o|-h|--(output|output-dir|interface|interfaces|depfile|layout|help|json|dump-ir|from-ir))(=|$)")
            message(${error} "OPTIONS has ${option}: outputs and the layout have their own keywords")
        endif()
    endforeach()
    get_property(known GLOBAL PROPERTY SM5VK_OPTIONS)
    foreach(option IN LISTS arg_OPTIONS arg_HLSL_OPTIONS)
        string(REGEX REPLACE "=.*" "" name "${option}")
        if(name MATCHES "^--.* ")
            message(${error} "'${option}' is one word: write each without the quotes")
        elseif(name MATCHES "^--" AND NOT name MATCHES "\\$<" AND NOT name IN_LIST known)
            message(${error} "sm5vk translate has no option ${name}")
        endif()
    endforeach()
    foreach(list IN ITEMS OPTIONS HLSL_OPTIONS DEFINES INCLUDE_DIRECTORIES DEPENDS)
        foreach(word IN LISTS arg_${list})
            set(upper "${word}")  # folders, files and entry points may have such names
            if(list STREQUAL "OPTIONS")
                string(TOUPPER "${word}" upper)
            endif()
            _sm5vk_keyword(keyword "${upper}" ${flags} ${singles} ${lists})
            if(keyword)
                message(${error} "${list} has ${word}: the keyword is ${keyword}")
            endif()
        endforeach()
    endforeach()
    if(";${arg_DEFINES}" MATCHES ";(-[^;]*)")
        message(${error} "DEFINES has ${CMAKE_MATCH_1}: name macros alone, such as SIZE=8")
    endif()
    set(place "(cb|s|t|u|u[.]counter|report|messages|tables)=[0-9]+:[0-9]+")
    if(NOT "${arg_LAYOUT}" MATCHES "^(${place}(,${place})*)?$|\\$<")
        message(${error} "LAYOUT is ${arg_LAYOUT}, but should be class=set:binding,... with the"
                " classes cb, s, t, u, u.counter, report, messages and tables")
    endif()
    get_property(has_several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    foreach(keyword IN ITEMS OPTIONS DEFINES HLSL_OPTIONS LAYOUT)
        if(has_several AND "${arg_${keyword}}" MATCHES "\\$<([A-Z]+_)?CONFIG[:>]")
            message(${error} "${keyword} depends on the configuration, and ${CMAKE_GENERATOR} has"
                    " several: all would write the same modules. Use a generator with one, such as"
                    " Ninja, and a build folder for each configuration")
        endif()
    endforeach()
    if(SM5VK_FXC MATCHES ";")
        message(${error} "SM5VK_FXC takes no semicolon")
    endif()
    if(arg_OUTPUT_DIRECTORY MATCHES "\\$<")
        message(${error} "OUTPUT_DIRECTORY takes no generator expression")
    endif()

    set(output_directory "${arg_OUTPUT_DIRECTORY}")
    cmake_path(ABSOLUTE_PATH output_directory BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
    string(REGEX REPLACE "/$" "" output_directory "${output_directory}")
    set(bases "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    if(NOT "${arg_BASE_DIRECTORY}" STREQUAL "")
        cmake_path(ABSOLUTE_PATH arg_BASE_DIRECTORY NORMALIZE)
        list(PREPEND bases "${arg_BASE_DIRECTORY}")
    endif()

    set(start "")
    if(SM5VK_FXC)
        set(start "${CMAKE_COMMAND}" -E env "SM5VK_FXC=${SM5VK_FXC}")
    endif()
    set(options ${arg_OPTIONS})
    if(NOT "${arg_LAYOUT}" STREQUAL "")
        list(APPEND options --layout "${arg_LAYOUT}")
    endif()
    set(hlsl_options ${arg_HLSL_OPTIONS})
    foreach(define IN LISTS arg_DEFINES)
        if("${define}" MATCHES "[$]<")  # may give none, or several
            set(define "$<$<BOOL:${define}>:-D$<JOIN:${define},$<SEMICOLON>-D>>")
            list(APPEND hlsl_options "${define}")
        else()
            list(APPEND hlsl_options -D "${define}")
        endif()
    endforeach()
    set(folders "")
    foreach(folder IN LISTS arg_INCLUDE_DIRECTORIES)
        cmake_path(ABSOLUTE_PATH folder NORMALIZE)
        list(APPEND folders "${folder}")
        list(APPEND hlsl_options -I "${folder}")
    endforeach()

    # Makefiles do not compare commands: each module depends on these files, which have their options.
    # CMake refuses to generate one with several contents, for several configurations.
    set(work "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${arg_TARGET}.dir")
    get_property(translator GLOBAL PROPERTY SM5VK_TRANSLATOR)
    set(options_file "${work}/sm5vk-options.txt")
    set(hlsl_options_file "${work}/sm5vk-hlsl-options.txt")
    file(GENERATE OUTPUT "${options_file}" CONTENT "${translator}\n${start}\n${options}\n")
    file(GENERATE OUTPUT "${hlsl_options_file}" CONTENT "${hlsl_options}\n")

    set(in_no_depfile "[]['\"&?`*|<>=:\\]|[$][({]|[)]$")
    if(CMAKE_GENERATOR MATCHES "Ninja")
        string(APPEND in_no_depfile "|[$^]")
    endif()
    set(modules "")
    set(interfaces "")
    set(depfiles "")
    foreach(source IN LISTS arg_SOURCES)
        set(word "${source}")
        cmake_path(ABSOLUTE_PATH source NORMALIZE)
        if("${source}${output_directory}${work}" MATCHES "${hidden}|\\$<")
            message(${error} "a path has a control character, a mark of the direction of text, a"
                    " command of CI, a byte that is no UTF-8, or a generator expression")
        endif()
        get_source_file_property(is_generated "${source}" GENERATED)
        if(NOT is_generated AND NOT EXISTS "${source}")
            _sm5vk_keyword(keyword "${word}" ${flags} ${singles} ${lists})
            if(keyword)
                message(${error} "SOURCES has ${word}: the keyword is ${keyword}")
            endif()
            message(${error} "there is no ${source}, and no custom command above makes it")
        endif()
        _sm5vk_name(name "${source}" ${bases})
        set(module "${output_directory}/${name}.spv")
        get_property(other GLOBAL PROPERTY "SM5VK_SOURCE_OF ${module}")
        if(other STREQUAL source)
            message(${error} "${module} is made from ${source} already: name this source once, or"
                    " choose another OUTPUT_DIRECTORY")
        elseif(other)
            message(${error} "${module} would be made from ${other} and from ${source}: choose"
                    " another OUTPUT_DIRECTORY, or a BASE_DIRECTORY above both")
        endif()

        set(depfile "${work}/${name}.d")
        foreach(path IN LISTS folders ITEMS "${source}" "${module}" "${depfile}")
            string(REGEX REPLACE "^[A-Za-z]:/" "/" path "${path}")  # a drive of Windows
            set(refused "${in_no_depfile}")
            if(path STREQUAL module)
                string(APPEND refused "|%")  # make takes a target with it for a pattern
            endif()
            if(path MATCHES "${refused}")
                message(${error} "${source}: depfiles cannot hold '${CMAKE_MATCH_0}', which is in the"
                        " path of this file, of its outputs or of INCLUDE_DIRECTORIES")
            endif()
        endforeach()

        cmake_path(GET source EXTENSION LAST_ONLY suffix)
        string(TOLOWER "${suffix}" suffix)
        set(words ${options})
        set(options_files "${options_file}")
        if(suffix MATCHES "^\\.(hlsl|hlsli|fx|fxh)$")
            list(APPEND words ${hlsl_options})
            list(APPEND options_files "${hlsl_options_file}")
        elseif(hlsl_options AND NOT suffix MATCHES "^\\.(dxbc|cso|asm)$")
            message(${error} "${source} may be HLSL or not: DEFINES, INCLUDE_DIRECTORIES and"
                    " HLSL_OPTIONS are for files .hlsl, .hlsli, .fx and .fxh, and do not apply to"
                    " .dxbc, .cso and .asm")
        endif()

        set(outputs "${module}")
        if(arg_INTERFACES)
            set(interface "${output_directory}/${name}.json")
            list(APPEND outputs "${interface}")
            list(APPEND interfaces "${interface}")
            list(APPEND words --interface "${interface}")
        endif()
        list(APPEND modules "${module}")
        list(APPEND depfiles "${depfile}")
        foreach(path IN LISTS outputs ITEMS "${depfile}")
            set_property(GLOBAL PROPERTY "SM5VK_SOURCE_OF ${path}" "${source}")
        endforeach()
        cmake_path(GET module PARENT_PATH module_folder)
        cmake_path(GET depfile PARENT_PATH depfile_folder)
        add_custom_command(
            OUTPUT ${outputs}
            COMMAND "${CMAKE_COMMAND}" -E make_directory "${module_folder}" "${depfile_folder}"
            COMMAND
                ${start} "${SM5VK_EXECUTABLE}" translate "${source}" -o "${module}"
                --depfile "${depfile}" "${words}"
            DEPENDS "${source}" ${options_files} ${arg_DEPENDS}
            DEPFILE "${depfile}"
            COMMENT "Translating ${name}"
            COMMAND_EXPAND_LISTS VERBATIM
        )
    endforeach()

    set(all ALL)
    if(arg_EXCLUDE_FROM_ALL)
        set(all "")
    endif()
    add_custom_target(${arg_TARGET} ${all} DEPENDS ${modules} ${interfaces})
    set_target_properties(
        ${arg_TARGET} PROPERTIES SM5VK_MODULES "${modules}" SM5VK_INTERFACES "${interfaces}"
    )
    set_property(GLOBAL APPEND PROPERTY SM5VK_OUTPUTS ${modules} ${interfaces} ${depfiles})
endfunction()

_sm5vk_begin()
