"""Runs one compute shader on the first Vulkan device, with the packages `vulkan` and `numpy` alone.

    gpu = Gpu()
    outputs = gpu.run("shader.spv", {0: array, 1: [array, array]}, groups=(1, 1, 1))

An array becomes a storage buffer of set 0, a list of arrays an array of storage buffers, a Texture
a texture or a storage image. `run` returns what buffers and storage images contain afterwards.
"""

import numpy as np
import vulkan as vk


class Texture:
    """A texture of set 0: with a sampler, which `sampler` describes, a combined image sampler.

    `levels` has an array for each mip, whose bytes are copied as they are, with all layers. `size`
    is that of the first mip. Without `levels` it is a storage image of zeros, with texels of
    `texel` bytes.
    """

    def __init__(
        self, format, size, levels=None, layers=1, cube=False, first_mip=0, sampler=None, texel=4
    ):
        self.format, self.size, self.levels, self.layers = format, size, levels, layers
        self.cube, self.first_mip, self.sampler, self.texel = cube, first_mip, sampler, texel


class Gpu:
    """A device with some of VkPhysicalDeviceFeatures; `chain` is its pNext."""

    def __init__(self, features=(), extensions=(), chain=None):
        application = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 2, 0))
        self.instance = vk.vkCreateInstance(
            vk.VkInstanceCreateInfo(pApplicationInfo=application), None
        )
        self.physical = vk.vkEnumeratePhysicalDevices(self.instance)[0]
        properties = vk.vkGetPhysicalDeviceProperties(self.physical)
        self.name = properties.deviceName
        self.driver_version = properties.driverVersion
        self.offered = vk.vkGetPhysicalDeviceFeatures(self.physical)
        lacking = [name for name in features if not getattr(self.offered, name)]
        if lacking:
            raise SystemExit(f"{self.name} lacks {', '.join(lacking)}")
        queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, pQueuePriorities=[1.0])
        self.device = vk.vkCreateDevice(
            self.physical,
            vk.VkDeviceCreateInfo(
                pNext=chain,
                pQueueCreateInfos=[queue],
                ppEnabledExtensionNames=list(extensions),
                pEnabledFeatures=vk.VkPhysicalDeviceFeatures(**dict.fromkeys(features, vk.VK_TRUE)),
            ),
            None,
        )
        self.queue = vk.vkGetDeviceQueue(self.device, 0, 0)
        self.pool = vk.vkCreateCommandPool(
            self.device, vk.VkCommandPoolCreateInfo(queueFamilyIndex=0), None
        )
        print(f"driver: {self.name}")

    def _memory(self, needs, host):
        types = vk.vkGetPhysicalDeviceMemoryProperties(self.physical)
        wanted = (
            vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
            if host
            else 0
        )
        index = next(
            i
            for i in range(types.memoryTypeCount)
            if needs.memoryTypeBits >> i & 1
            and types.memoryTypes[i].propertyFlags & wanted == wanted
        )
        info = vk.VkMemoryAllocateInfo(allocationSize=needs.size, memoryTypeIndex=index)
        return vk.vkAllocateMemory(self.device, info, None)

    def _buffer(self, data):
        """A buffer with these bytes: the buffer, its memory and its size."""
        raw = np.ascontiguousarray(data).view(np.uint8).reshape(-1)
        usage = (
            vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
            | vk.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
            | vk.VK_BUFFER_USAGE_TRANSFER_DST_BIT
        )
        info = vk.VkBufferCreateInfo(
            size=raw.size, usage=usage, sharingMode=vk.VK_SHARING_MODE_EXCLUSIVE
        )
        buffer = vk.vkCreateBuffer(self.device, info, None)
        memory = self._memory(vk.vkGetBufferMemoryRequirements(self.device, buffer), host=True)
        vk.vkBindBufferMemory(self.device, buffer, memory, 0)
        mapped = vk.vkMapMemory(self.device, memory, 0, raw.size, 0)
        np.frombuffer(mapped, np.uint8)[: raw.size] = raw
        vk.vkUnmapMemory(self.device, memory)
        return buffer, memory, raw.size

    def _read(self, memory, like):
        mapped = vk.vkMapMemory(self.device, memory, 0, like.nbytes, 0)
        copy = bytes(np.frombuffer(mapped, np.uint8)[: like.nbytes])
        vk.vkUnmapMemory(self.device, memory)
        return np.frombuffer(copy, like.dtype).reshape(like.shape)

    def _image(self, texture):
        stored = texture.levels is None
        usage = vk.VK_IMAGE_USAGE_TRANSFER_DST_BIT
        if stored:
            usage |= vk.VK_IMAGE_USAGE_STORAGE_BIT | vk.VK_IMAGE_USAGE_TRANSFER_SRC_BIT
        else:
            usage |= vk.VK_IMAGE_USAGE_SAMPLED_BIT
        width, height = texture.size
        mips = 1 if stored else len(texture.levels)
        image = vk.vkCreateImage(
            self.device,
            vk.VkImageCreateInfo(
                flags=vk.VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT if texture.cube else 0,
                imageType=vk.VK_IMAGE_TYPE_2D,
                format=texture.format,
                extent=vk.VkExtent3D(width=width, height=height, depth=1),
                mipLevels=mips,
                arrayLayers=texture.layers,
                samples=vk.VK_SAMPLE_COUNT_1_BIT,
                tiling=vk.VK_IMAGE_TILING_OPTIMAL,
                usage=usage,
                sharingMode=vk.VK_SHARING_MODE_EXCLUSIVE,
                initialLayout=vk.VK_IMAGE_LAYOUT_UNDEFINED,
            ),
            None,
        )
        memory = self._memory(vk.vkGetImageMemoryRequirements(self.device, image), host=False)
        vk.vkBindImageMemory(self.device, image, memory, 0)
        colour = vk.VK_IMAGE_ASPECT_COLOR_BIT
        view = vk.vkCreateImageView(
            self.device,
            vk.VkImageViewCreateInfo(
                image=image,
                viewType=vk.VK_IMAGE_VIEW_TYPE_CUBE if texture.cube else vk.VK_IMAGE_VIEW_TYPE_2D,
                format=texture.format,
                components=vk.VkComponentMapping(),
                subresourceRange=vk.VkImageSubresourceRange(
                    aspectMask=colour,
                    baseMipLevel=texture.first_mip,
                    levelCount=mips - texture.first_mip,
                    baseArrayLayer=0,
                    layerCount=texture.layers,
                ),
            ),
            None,
        )
        whole = vk.VkImageSubresourceRange(
            aspectMask=colour,
            baseMipLevel=0,
            levelCount=mips,
            baseArrayLayer=0,
            layerCount=texture.layers,
        )
        return image, view, whole

    def _sampler(self, options):
        nearest, linear = vk.VK_FILTER_NEAREST, vk.VK_FILTER_LINEAR
        address = options.get("address", vk.VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE)
        chain = None
        if "reduction" in options:
            chain = vk.VkSamplerReductionModeCreateInfo(reductionMode=options["reduction"])
        chosen = linear if options.get("linear") else nearest
        anisotropy = options.get("anisotropy", 0)
        info = vk.VkSamplerCreateInfo(
            pNext=chain,
            magFilter=chosen,
            minFilter=chosen,
            mipmapMode=(
                vk.VK_SAMPLER_MIPMAP_MODE_LINEAR
                if options.get("linear_mips")
                else vk.VK_SAMPLER_MIPMAP_MODE_NEAREST
            ),
            addressModeU=address,
            addressModeV=address,
            addressModeW=address,
            anisotropyEnable=vk.VK_TRUE if anisotropy else vk.VK_FALSE,
            maxAnisotropy=float(anisotropy or 1),
            maxLod=1000.0,
        )
        return vk.vkCreateSampler(self.device, info, None)

    def run(self, path, resources, groups=(1, 1, 1)):
        with open(path, "rb") as file:
            code = file.read()
        layout_bindings, sizes, made, uploads = [], {}, {}, []
        for binding, resource in resources.items():
            count = 1
            if isinstance(resource, Texture):
                storage = resource.levels is None
                kind = (
                    vk.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                    if storage
                    else vk.VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                )
                made[binding] = self._image(resource)
                contents = [
                    np.zeros(resource.size[0] * resource.size[1] * resource.texel, np.uint8)
                ]
                contents = contents if storage else resource.levels
                uploads.append(
                    (resource, made[binding], [self._buffer(level) for level in contents], contents)
                )
            else:
                kind = vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                arrays = resource if isinstance(resource, list) else [resource]
                made[binding] = [self._buffer(array) for array in arrays]
                count = len(arrays)
            sizes[kind] = sizes.get(kind, 0) + count
            layout_bindings.append(
                vk.VkDescriptorSetLayoutBinding(
                    binding=binding,
                    descriptorType=kind,
                    descriptorCount=count,
                    stageFlags=vk.VK_SHADER_STAGE_COMPUTE_BIT,
                )
            )
        layout = vk.vkCreateDescriptorSetLayout(
            self.device, vk.VkDescriptorSetLayoutCreateInfo(pBindings=layout_bindings), None
        )
        pool = vk.vkCreateDescriptorPool(
            self.device,
            vk.VkDescriptorPoolCreateInfo(
                maxSets=1,
                pPoolSizes=[
                    vk.VkDescriptorPoolSize(type=kind, descriptorCount=n)
                    for kind, n in sizes.items()
                ],
            ),
            None,
        )
        descriptors = vk.vkAllocateDescriptorSets(
            self.device, vk.VkDescriptorSetAllocateInfo(descriptorPool=pool, pSetLayouts=[layout])
        )[0]
        writes = []
        for described in layout_bindings:
            binding = described.binding
            resource, buffers, images = resources[binding], None, None
            if isinstance(resource, Texture):
                sampler = None if resource.levels is None else self._sampler(resource.sampler or {})
                images = [
                    vk.VkDescriptorImageInfo(
                        sampler=sampler,
                        imageView=made[binding][1],
                        imageLayout=vk.VK_IMAGE_LAYOUT_GENERAL,
                    )
                ]
            else:
                buffers = [
                    vk.VkDescriptorBufferInfo(buffer=b, offset=0, range=n)
                    for b, _, n in made[binding]
                ]
            writes.append(
                vk.VkWriteDescriptorSet(
                    dstSet=descriptors,
                    dstBinding=binding,
                    descriptorCount=described.descriptorCount,
                    descriptorType=described.descriptorType,
                    pBufferInfo=buffers,
                    pImageInfo=images,
                )
            )
        vk.vkUpdateDescriptorSets(self.device, len(writes), writes, 0, None)
        pipeline_layout = vk.vkCreatePipelineLayout(
            self.device, vk.VkPipelineLayoutCreateInfo(pSetLayouts=[layout]), None
        )
        module = vk.vkCreateShaderModule(
            self.device, vk.VkShaderModuleCreateInfo(codeSize=len(code), pCode=code), None
        )
        stage = vk.VkPipelineShaderStageCreateInfo(
            stage=vk.VK_SHADER_STAGE_COMPUTE_BIT, module=module, pName="main"
        )
        pipeline = vk.vkCreateComputePipelines(
            self.device,
            None,
            1,
            [vk.VkComputePipelineCreateInfo(stage=stage, layout=pipeline_layout)],
            None,
        )[0]
        commands = vk.vkAllocateCommandBuffers(
            self.device,
            vk.VkCommandBufferAllocateInfo(
                commandPool=self.pool,
                level=vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                commandBufferCount=1,
            ),
        )[0]
        vk.vkBeginCommandBuffer(commands, vk.VkCommandBufferBeginInfo())
        for texture, (image, _, whole), staged, _ in uploads:
            self._barrier(commands, image, whole)
            for mip, (buffer, _, _) in enumerate(staged):
                vk.vkCmdCopyBufferToImage(
                    commands,
                    buffer,
                    image,
                    vk.VK_IMAGE_LAYOUT_GENERAL,
                    1,
                    [self._region(texture, mip)],
                )
        self._barrier(commands)
        vk.vkCmdBindPipeline(commands, vk.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline)
        vk.vkCmdBindDescriptorSets(
            commands,
            vk.VK_PIPELINE_BIND_POINT_COMPUTE,
            pipeline_layout,
            0,
            1,
            [descriptors],
            0,
            None,
        )
        vk.vkCmdDispatch(commands, *groups)
        self._barrier(commands)
        for texture, (image, _, _), staged, _ in uploads:
            if texture.levels is None:
                vk.vkCmdCopyImageToBuffer(
                    commands,
                    image,
                    vk.VK_IMAGE_LAYOUT_GENERAL,
                    staged[0][0],
                    1,
                    [self._region(texture, 0)],
                )
        self._barrier(commands)
        vk.vkEndCommandBuffer(commands)
        vk.vkQueueSubmit(self.queue, 1, [vk.VkSubmitInfo(pCommandBuffers=[commands])], None)
        vk.vkQueueWaitIdle(self.queue)
        results = {}
        for binding, resource in resources.items():
            if isinstance(resource, list):
                results[binding] = [
                    self._read(m[1], a) for m, a in zip(made[binding], resource, strict=True)
                ]
            elif not isinstance(resource, Texture):
                results[binding] = self._read(made[binding][0][1], resource)
            elif resource.levels is None:
                staged, contents = next((s, c) for t, _, s, c in uploads if t is resource)
                results[binding] = self._read(staged[0][1], contents[0])
        return results

    def _region(self, texture, mip):
        return vk.VkBufferImageCopy(
            imageSubresource=vk.VkImageSubresourceLayers(
                aspectMask=vk.VK_IMAGE_ASPECT_COLOR_BIT,
                mipLevel=mip,
                baseArrayLayer=0,
                layerCount=texture.layers,
            ),
            imageExtent=vk.VkExtent3D(
                width=max(1, texture.size[0] >> mip), height=max(1, texture.size[1] >> mip), depth=1
            ),
        )

    def _barrier(self, commands, image=None, whole=None):
        """Everything before is visible to everything after; a new image gets its layout."""
        everything = vk.VK_ACCESS_MEMORY_READ_BIT | vk.VK_ACCESS_MEMORY_WRITE_BIT
        memory, images = [], []
        if image is None:
            memory = [vk.VkMemoryBarrier(srcAccessMask=everything, dstAccessMask=everything)]
        else:
            images = [
                vk.VkImageMemoryBarrier(
                    srcAccessMask=0,
                    dstAccessMask=everything,
                    oldLayout=vk.VK_IMAGE_LAYOUT_UNDEFINED,
                    newLayout=vk.VK_IMAGE_LAYOUT_GENERAL,
                    srcQueueFamilyIndex=vk.VK_QUEUE_FAMILY_IGNORED,
                    dstQueueFamilyIndex=vk.VK_QUEUE_FAMILY_IGNORED,
                    image=image,
                    subresourceRange=whole,
                )
            ]
        stages = vk.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
        vk.vkCmdPipelineBarrier(
            commands, stages, stages, 0, len(memory), memory, 0, None, len(images), images
        )
