# SPDX-License-Identifier: Apache-2.0
# Writes a C file with the bytes of the built page: page_template.h.
#   cmake -DOUTPUT=file.c "-DPAGE=page.html" -P page_template.cmake     (PAGE empty: no page)
set(bytes "")
if(PAGE)
    file(READ ${PAGE} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
endif()
file(WRITE ${OUTPUT} "// Made from the page in web/ by src/report/page_template.cmake.
#include \"report/page_template.h\"

const unsigned char hf_page_template[] = {${bytes}0};
const size_t hf_page_template_size = sizeof hf_page_template - 1;
")
