/* Plays d3dcompiler_47.dll, with the platform's own calls in place of Windows'. It opens the header
 * `factor.h`, and gives as a container what it was asked, in words that begin with DXBC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Blob Blob;
typedef struct {
    int (*query)(Blob *, const void *, void **);
    unsigned long (*add)(Blob *);
    unsigned long (*release)(Blob *);
    void *(*pointer)(Blob *);
    size_t (*size)(Blob *);
} BlobTable;
struct Blob { const BlobTable *table; size_t size; char data[4096]; };

typedef struct Include Include;
typedef struct {
    int (*open)(Include *, int, const char *, const void *, const void **, unsigned *);
    int (*close)(Include *, const void *);
} IncludeTable;
struct Include { const IncludeTable *table; };

typedef struct { const char *name, *definition; } Macro;

static unsigned long release(Blob *blob) { free(blob); return 0; }
static void *pointer(Blob *blob) { return blob->data; }
static size_t size(Blob *blob) { return blob->size; }
static const BlobTable table = {NULL, NULL, release, pointer, size};

static Blob *blob_of(const char *text, size_t length)
{
    Blob *blob = calloc(1, sizeof *blob);
    blob->table = &table;
    memcpy(blob->data, text, length);
    blob->size = length;
    return blob;
}

int D3DCompile(const void *text, size_t length, const char *name, const Macro *macros,
               Include *include, const char *entry, const char *profile, unsigned flags,
               unsigned effect_flags, Blob **code, Blob **messages)
{
    char out[4096];
    const void *header = NULL, *inner = NULL;
    unsigned header_size = 0, inner_size = 0;
    if (strstr(text, "wrong")) {
        static const char said[] = "scale.hlsl(1,1-5): error X3004: undeclared identifier 'wrong'\n";
        *messages = blob_of(said, sizeof said);
        return (int)0x80004005;
    }
    if (include->table->open(include, 0, "nothing.h", NULL, &header, &header_size) >= 0) return -1;
    if (include->table->open(include, 0, "factor.h", NULL, &header, &header_size) < 0) return -2;
    if (include->table->open(include, 0, "inner.h", header, &inner, &inner_size) < 0) return -3;
    int n = snprintf(out, sizeof out, "DXBC %zu %s %s %s %x %x %.*s %.*s", length, name, entry,
                     profile, flags, effect_flags, (int)header_size, (const char *)header,
                     (int)inner_size, (const char *)inner);
    include->table->close(include, inner);
    include->table->close(include, header);
    for (; macros->name; macros++)
        n += snprintf(out + n, sizeof out - n, " %s=%s", macros->name, macros->definition);
    *code = blob_of(out, n);
    static const char warned[] = "scale.hlsl(2,1): warning X1: beware\n";
    *messages = blob_of(warned, sizeof warned);
    return 0;
}
