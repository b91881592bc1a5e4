# SPDX-License-Identifier: Apache-2.0
# Writes a C file with the bytes of files: TABLE and COUNT, as hf_cli_examples of cli/examples.h.
#   cmake -DOUTPUT=file.c -DTABLE=hf_cli_examples -DCOUNT=hf_cli_example_count "-DFILES=a.yaml;b.yaml" -P embed.cmake
set(text "// Made by src/cli/embed.cmake.\n#include \"cli/examples.h\"\n\n")
set(table "")
set(count 0)
foreach(file IN LISTS FILES)
    cmake_path(GET file STEM LAST_ONLY name)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "static const unsigned char example_${count}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${name}\", example_${count}, sizeof example_${count} - 1},\n")
    math(EXPR count "${count} + 1")
endforeach()
# The last entry has no name: without examples the array would be empty.
string(APPEND text "const hf_cli_example ${TABLE}[] = {\n${table}    {0, 0, 0},\n};\n")
string(APPEND text "const int ${COUNT} = ${count};\n")
file(WRITE ${OUTPUT} "${text}")
