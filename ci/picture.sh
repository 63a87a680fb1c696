#!/bin/sh
# Makes the README's picture of a page of `sm5vk explain`, light and dark: docs/pictures/explain-*.png.
# It needs Chromium (Debian: chromium); CHROMIUM names another program of it, NO_SANDBOX=1 lets root run it.
set -eu
cd "$(dirname "$0")/.."
sh ci/setup.sh explain
sh ci/setup.sh images
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
.venv/bin/python -m vkrunner explain shaders/moving_average.dxbc -o "$folder/page.html"
# Chromium takes pictures of a page's top: a frame scrolls to the code, with the lines of instruction 5.
printf '<style>iframe{position:fixed;top:0;left:0;border:0}</style>
<iframe src="page.html#i5" width=1100 height=670></iframe>' \
    >"$folder/frame.html"
for scheme in dark light; do # Chromium's numbers of them are 0 and 1
    "${CHROMIUM:-chromium}" --headless --disable-gpu ${NO_SANDBOX:+--no-sandbox} --hide-scrollbars \
        --blink-settings=preferredColorScheme="$([ $scheme = dark ] && echo 0 || echo 1)" \
        --window-size=1100,614 --screenshot="$folder/$scheme.png" "file://$folder/frame.html"
    .venv/bin/python -c 'import sys; from PIL import Image
Image.open(sys.argv[1]).convert("RGB").quantize(256).save(sys.argv[2], optimize=True)' \
        "$folder/$scheme.png" "docs/pictures/explain-$scheme.png"
done
