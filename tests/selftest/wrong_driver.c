/* A Vulkan layer that makes a faulty driver of a right one, as WRONG_DRIVER says:
 *
 *   204:200   every instruction OpBitReverse (204) of a shader is compiled as OpNot (200), which has
 *             the same operands
 *   204:end   a shader with an OpBitReverse ends the process
 *
 * Numbers: SPIR-V specification, "Instructions". The loader's side: "Architecture of the Vulkan
 * Loader Interfaces", layer interface version 2.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define HEADER_WORDS 5
#define END UINT32_MAX

static PFN_vkGetInstanceProcAddr next_of_instance;
static PFN_vkGetDeviceProcAddr next_of_device;

/* The number before the colon of WRONG_DRIVER, and the one after it. */
static void read_fault(uint32_t *wanted, uint32_t *given)
{
    const char *text = getenv("WRONG_DRIVER");
    const char *colon = text == NULL ? NULL : strchr(text, ':');
    if (colon == NULL) {
        fprintf(stderr, "wrong_driver: WRONG_DRIVER is OPCODE:OPCODE or OPCODE:end\n");
        exit(1);
    }
    *wanted = (uint32_t)strtoul(text, NULL, 10);
    *given = strcmp(colon + 1, "end") == 0 ? END : (uint32_t)strtoul(colon + 1, NULL, 10);
}

static void spoil(uint32_t *words, size_t count)
{
    uint32_t wanted, given;
    read_fault(&wanted, &given);
    for (size_t at = HEADER_WORDS; at < count && words[at] >> 16 != 0; at += words[at] >> 16) {
        if ((words[at] & 0xffff) != wanted)
            continue;
        if (given == END)
            abort();
        words[at] = (words[at] & 0xffff0000) | given;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL create_shader_module(
    VkDevice device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *allocator,
    VkShaderModule *module)
{
    PFN_vkCreateShaderModule next =
        (PFN_vkCreateShaderModule)next_of_device(device, "vkCreateShaderModule");
    VkShaderModuleCreateInfo spoilt = *info;
    uint32_t *words = malloc(info->codeSize);
    if (words == NULL)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memcpy(words, info->pCode, info->codeSize);
    spoil(words, info->codeSize / sizeof *words);
    spoilt.pCode = words;
    VkResult result = next(device, &spoilt, allocator, module);
    free(words);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO)
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    next_of_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance next = (PFN_vkCreateInstance)next_of_instance(NULL, "vkCreateInstance");
    return next(info, allocator, instance);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_device(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDevice *device)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
    while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
           link->function != VK_LAYER_LINK_INFO)
        link = (VkLayerDeviceCreateInfo *)link->pNext;
    PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    next_of_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    return ((PFN_vkCreateDevice)get(NULL, "vkCreateDevice"))(physical, info, allocator, device);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)device_function;
    if (strcmp(name, "vkCreateShaderModule") == 0)
        return (PFN_vkVoidFunction)create_shader_module;
    return next_of_device(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(
    VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetInstanceProcAddr") == 0)
        return (PFN_vkVoidFunction)instance_function;
    if (strcmp(name, "vkCreateInstance") == 0)
        return (PFN_vkVoidFunction)create_instance;
    if (strcmp(name, "vkCreateDevice") == 0)
        return (PFN_vkVoidFunction)create_device;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)device_function;
    if (strcmp(name, "vkCreateShaderModule") == 0)
        return (PFN_vkVoidFunction)create_shader_module;
    return instance == NULL ? NULL : next_of_instance(instance, name);
}

VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface *interface)
{
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = instance_function;
    interface->pfnGetDeviceProcAddr = device_function;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
