/* Compiles HLSL with Microsoft's d3dcompiler_47.dll and prints the code: SOURCE ENTRY FLAGS. */
#define COBJMACROS
#include <d3dcompiler.h>
#include <stdio.h>
#include <stdlib.h>

#define HEXADECIMAL 0x80 /* D3D_DISASM_PRINT_HEX_LITERALS */

int main(int count, char **words) {
    static char text[1 << 16];
    ID3DBlob *code = NULL, *messages = NULL, *listing = NULL;
    FILE *file = count == 4 ? fopen(words[1], "rb") : NULL;
    if (!file)
        return 2;
    size_t size = fread(text, 1, sizeof text, file);
    HRESULT made = D3DCompile(text, size, NULL, NULL, NULL, words[2], "cs_5_0",
                              strtoul(words[3], NULL, 0), 0, &code, &messages);
    if (messages)
        fprintf(stderr, "%s", (char *)ID3D10Blob_GetBufferPointer(messages));
    if (FAILED(made) || FAILED(D3DDisassemble(ID3D10Blob_GetBufferPointer(code),
                                              ID3D10Blob_GetBufferSize(code), HEXADECIMAL, NULL,
                                              &listing)))
        return 1;
    printf("%s", (char *)ID3D10Blob_GetBufferPointer(listing));
    return 0;
}
