/* fxc for Linux: this program calls D3DCompile of Microsoft's d3dcompiler_47.dll, under Wine.
 *
 *     x86_64-w64-mingw32-gcc -municode -O2 -o fxc.exe fxc.c
 *     wine fxc.exe /T cs_5_0 /E main /D N=4 /I include /Zi /Fo blur.dxbc blur.hlsl
 *
 * The DLL is in the folder of fxc.exe. Options are words of their own and begin with / or -: /T, /E,
 * /D, /I and /Fo, which take the next word, those of `flags`, and /? for a list of them. Messages go
 * to standard error in fxc's form. The exit code is 1 if no container was written. `fxc.sh` sets all
 * of this up.
 *
 * Source: Microsoft's reference of D3DCompile, ID3DInclude and D3DCOMPILE. */
#define COBJMACROS
#include <d3dcompiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define MOST_PATH 4096
#define DLL L"d3dcompiler_47.dll"

static const struct { const wchar_t *name; UINT bits; } flags[] = {
    {L"nologo", 0},
    {L"Zi", D3DCOMPILE_DEBUG},
    {L"Vd", D3DCOMPILE_SKIP_VALIDATION},
    {L"Od", D3DCOMPILE_SKIP_OPTIMIZATION},
    {L"Zpr", D3DCOMPILE_PACK_MATRIX_ROW_MAJOR},
    {L"Zpc", D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR},
    {L"Gpp", D3DCOMPILE_PARTIAL_PRECISION},
    {L"Op", D3DCOMPILE_NO_PRESHADER},
    {L"Gfa", D3DCOMPILE_AVOID_FLOW_CONTROL},
    {L"Gfp", D3DCOMPILE_PREFER_FLOW_CONTROL},
    {L"Ges", D3DCOMPILE_ENABLE_STRICTNESS},
    {L"Gec", D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY},
    {L"Gis", D3DCOMPILE_IEEE_STRICTNESS},
    {L"O0", D3DCOMPILE_OPTIMIZATION_LEVEL0},
    {L"O1", D3DCOMPILE_OPTIMIZATION_LEVEL1},
    {L"O2", D3DCOMPILE_OPTIMIZATION_LEVEL2},
    {L"O3", D3DCOMPILE_OPTIMIZATION_LEVEL3},
    {L"WX", D3DCOMPILE_WARNINGS_ARE_ERRORS},
    {L"res_may_alias", D3DCOMPILE_RESOURCES_MAY_ALIAS},
    {L"enable_unbounded_descriptor_tables", D3DCOMPILE_ENABLE_UNBOUNDED_DESCRIPTOR_TABLES},
    {L"all_resources_bound", D3DCOMPILE_ALL_RESOURCES_BOUND},
    {L"Zss", D3DCOMPILE_DEBUG_NAME_FOR_SOURCE},
    {L"Zsb", D3DCOMPILE_DEBUG_NAME_FOR_BINARY},
};
enum { FLAGS = sizeof flags / sizeof *flags };

/* The command line. The lists of macros and folders end with a null pointer. */
typedef struct {
    const wchar_t *source, *output;
    const char *profile, *entry;
    UINT flags;
    D3D_SHADER_MACRO *macros;
    const wchar_t **folders;
} Request;

/* A file that was read. `folder` is empty or ends with a slash; `data` has `size` bytes. */
typedef struct File {
    struct File *next;
    wchar_t folder[MOST_PATH];
    UINT size;
    char data[];
} File;

static File *files; /* all that were read, the last one first; they are kept until the process ends */
static Request request;

static void *memory(size_t size)
{
    void *made = calloc(1, size);
    if (!made) {
        fputs("error: out of memory\n", stderr);
        exit(1);
    }
    return made;
}

static char *utf8(const wchar_t *text)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *made = memory(size + 1);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, made, size, NULL, NULL);
    return made;
}

static BOOL is_slash(wchar_t letter) { return letter == L'/' || letter == L'\\'; }

/* The number of letters of a path up to its last slash. */
static size_t folder_length(const wchar_t *path)
{
    size_t length = wcslen(path);
    while (length && !is_slash(path[length - 1])) length--;
    return length;
}

/* -- the command line -------------------------------------------------------------------------- */

static void add_macro(D3D_SHADER_MACRO *list, const wchar_t *text)
{
    char *name = utf8(text), *equals = strchr(name, '=');
    if (equals) *equals = 0;
    while (list->Name) list++;
    list->Name = name;
    list->Definition = equals ? equals + 1 : "1";
}

static void add_folder(const wchar_t **list, const wchar_t *text)
{
    size_t length = wcslen(text);
    wchar_t *folder = memory((length + 2) * sizeof *folder);
    wcscpy(folder, text);
    if (length && !is_slash(text[length - 1])) folder[length] = L'/';
    while (*list) list++;
    *list = folder;
}

/* Takes an option with a value; FALSE for any other. */
static BOOL take_value(const wchar_t *name, const wchar_t *value)
{
    if (!wcscmp(name, L"T")) request.profile = utf8(value);
    else if (!wcscmp(name, L"E")) request.entry = utf8(value);
    else if (!wcscmp(name, L"Fo")) request.output = value;
    else if (!wcscmp(name, L"D")) add_macro(request.macros, value);
    else if (!wcscmp(name, L"I")) add_folder(request.folders, value);
    else return FALSE;
    return TRUE;
}

static BOOL take_flag(const wchar_t *name)
{
    for (int n = 0; n < FLAGS; n++)
        if (!wcscmp(name, flags[n].name)) {
            request.flags |= flags[n].bits;
            return TRUE;
        }
    return FALSE;
}

static void print_flags(FILE *stream)
{
    for (int n = 0; n < FLAGS; n++) fprintf(stream, "%s /%ls", n ? "," : "", flags[n].name);
    fputc('\n', stream);
}

static void print_usage(void)
{
    puts("A small stand-in for fxc, by sm5vk: compiles HLSL to a container by d3dcompiler_47.dll.\n"
         "\n    fxc /T PROFILE /Fo FILE [options] SOURCE\n\n"
         "    /T PROFILE      the profile, for instance cs_5_0\n"
         "    /Fo FILE        the container to write\n"
         "    /E NAME         the entry point (main)\n"
         "    /D NAME[=TEXT]  a macro; repeatable\n"
         "    /I FOLDER       a folder for #include; repeatable\n"
         "    /?              this text\n\n"
         "Options begin with / or -, and are words of their own. There is no /Fc and no /Lx:\n"
         "sm5vk disasm --header prints a container's listing, with --as-fxc as /Fc does,\n"
         "and with --hex as /Lx does.\n");
    fputs("Flags:", stdout);
    print_flags(stdout);
}

static BOOL is_help(const wchar_t *word)
{
    return !wcscmp(word, L"/?") || !wcscmp(word, L"-?") || !wcscmp(word, L"--help");
}

static BOOL parse(int count, wchar_t **words)
{
    request.entry = "main";
    request.macros = memory((count + 1) * sizeof *request.macros);
    request.folders = memory((count + 1) * sizeof *request.folders);
    for (int n = 1; n < count; n++) {
        const wchar_t *name = words[n] + 1;
        if (words[n][0] != L'/' && words[n][0] != L'-') request.source = words[n];
        else if (n + 1 < count && take_value(name, words[n + 1])) n++;
        else if (!take_flag(name)) {
            fprintf(stderr, "error: this small fxc has no option %s; it has", utf8(words[n]));
            fputs(" /T, /E, /Fo, /D, /I, /?,", stderr);
            print_flags(stderr);
            return FALSE;
        }
    }
    if (request.source && request.output && request.profile) return TRUE;
    fputs("error: a source, /T and /Fo are required; /? lists the options\n", stderr);
    return FALSE;
}

/* -- files ------------------------------------------------------------------------------------- */

/* Reads a file; `name` is relative to `folder`. Returns NULL if that is impossible. */
static File *read_file(const wchar_t *folder, const wchar_t *name)
{
    wchar_t path[MOST_PATH];
    if (is_slash(name[0]) || (name[0] && name[1] == L':')) folder = L"";
    if (wcslen(folder) + wcslen(name) >= MOST_PATH) return NULL;
    wcscpy(path, folder);
    wcscat(path, name);
    FILE *stream = _wfopen(path, L"rb");
    if (!stream) return NULL;
    fseek(stream, 0, SEEK_END);
    long size = ftell(stream);
    rewind(stream);
    File *file = memory(sizeof *file + (size > 0 ? size : 0));
    file->size = size > 0 ? fread(file->data, 1, size, stream) : 0;
    fclose(stream);
    wcsncpy(file->folder, path, folder_length(path));
    file->next = files;
    return files = file;
}

/* Finds an included file: next to the file that includes it, then in the folders of /I. */
static HRESULT WINAPI open_include(ID3DInclude *self, D3D_INCLUDE_TYPE type, const char *name,
                                   const void *parent, const void **data, UINT *size)
{
    wchar_t wide[MOST_PATH];
    File *above = files, *found;
    (void)self, (void)type;
    if (!MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, MOST_PATH)) return E_FAIL;
    while (above->next && above->data != parent) above = above->next; /* the last is the source */
    found = read_file(above->folder, wide);
    for (const wchar_t **folder = request.folders; !found && *folder; folder++)
        found = read_file(*folder, wide);
    if (!found) return E_FAIL;
    *data = found->data;
    *size = found->size;
    return S_OK;
}

static HRESULT WINAPI close_include(ID3DInclude *self, const void *data)
{
    (void)self, (void)data;
    return S_OK;
}

/* -- the compiler ------------------------------------------------------------------------------ */

static pD3DCompile load(void)
{
    wchar_t path[MOST_PATH];
    GetModuleFileNameW(NULL, path, MOST_PATH - sizeof DLL / sizeof *DLL);
    wcscpy(path + folder_length(path), DLL); /* the whole path, since Wine has a DLL of this name */
    HMODULE library = LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!library) {
        DWORD error = GetLastError();
        fprintf(stderr, "error: %s cannot be loaded: error %lu\n", utf8(path), error);
        return NULL;
    }
    return (pD3DCompile)(void *)GetProcAddress(library, "D3DCompile");
}

/* Prints the compiler's messages; returns whether it has any. */
static BOOL print(ID3DBlob *messages)
{
    if (!messages) return FALSE;
    const char *text = ID3D10Blob_GetBufferPointer(messages);
    size_t size = ID3D10Blob_GetBufferSize(messages);
    while (size && (!text[size - 1] || text[size - 1] == '\n')) size--;
    fwrite(text, 1, size, stderr);
    fputc('\n', stderr);
    return TRUE;
}

static BOOL write_file(const wchar_t *path, ID3DBlob *code)
{
    size_t size = ID3D10Blob_GetBufferSize(code);
    FILE *stream = _wfopen(path, L"wb");
    BOOL is_written = stream && fwrite(ID3D10Blob_GetBufferPointer(code), 1, size, stream) == size;
    if (stream && !fclose(stream) && is_written) return TRUE;
    fprintf(stderr, "error: %s cannot be written\n", utf8(path));
    return FALSE;
}

int wmain(int count, wchar_t **words)
{
    static const ID3DIncludeVtbl methods = {open_include, close_include};
    ID3DInclude includes = {(ID3DIncludeVtbl *)&methods};
    ID3DBlob *code = NULL, *messages = NULL;

    for (int n = 1; n < count; n++)
        if (is_help(words[n])) {
            print_usage();
            return 0;
        }
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX); /* a crash opens no window */
    if (!parse(count, words)) return 1;
    File *source = read_file(L"", request.source);
    if (!source) {
        fprintf(stderr, "error: %s cannot be read\n", utf8(request.source));
        return 1;
    }
    pD3DCompile compile = load();
    if (!compile) return 1;
    HRESULT result = compile(source->data, source->size, utf8(request.source), request.macros,
                             &includes, request.entry, request.profile, request.flags, 0, &code,
                             &messages);
    if (!print(messages) && FAILED(result))
        fprintf(stderr, "error: D3DCompile returned 0x%lx\n", result);
    if (SUCCEEDED(result) && write_file(request.output, code)) {
        printf("compilation object save succeeded; see %s\n", utf8(request.output));
        return 0;
    }
    fputs("\ncompilation failed; no code produced\n", stderr);
    return 1;
}
