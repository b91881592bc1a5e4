# SPDX-License-Identifier: Apache-2.0
# Compiler settings and the helpers that the folders' CMakeLists.txt use.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
# Checks (HF_ASSERT) are on unless HF_RELEASE is defined; NDEBUG has no say in Holdfast.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_C_FLAGS_RELEASE "-O2")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# hf_target_settings(target): warnings, reproducible arithmetic, sanitizers, include folders.
function(hf_target_settings target)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -pedantic -Wconversion -Wshadow -Wvla -Wmissing-prototypes -Wstrict-prototypes
        # Contraction changes the bits of a friction trajectory between compilers.
        -ffp-contract=off
        # Nothing reads errno after a mathematical function; without it sqrt is one instruction.
        -fno-math-errno)
    if(HF_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(HF_SANITIZE)
        set(sanitize -fsanitize=${HF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_compile_options(${target} PRIVATE ${sanitize})
        target_link_options(${target} PRIVATE ${sanitize})
    endif()
    target_compile_definitions(${target} PRIVATE $<$<CONFIG:Release>:HF_RELEASE>)
    target_include_directories(${target} PRIVATE
        ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
endfunction()

# hf_sources(target file...): adds sources of the calling folder to a library or to the command
# (holdfast-cli). The first source creates the target. Targets hf-... are object files, from which
# hf_assemble makes libraries and from which the command takes what it needs.
function(hf_sources target)
    foreach(file IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        get_source_file_property(generated ${file} GENERATED)
        if(NOT generated AND NOT EXISTS ${file})
            message(WARNING "${target}: ${file} does not exist")
            continue()
        endif()
        if(NOT TARGET ${target})
            if(target STREQUAL "holdfast-cli")
                add_executable(${target})
            elseif(target MATCHES "^hf-")
                add_library(${target} OBJECT)
                target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
            else()
                add_library(${target})
                add_library(Holdfast::${target} ALIAS ${target})
            endif()
            hf_target_settings(${target})
            # Only what public headers mark with HF_API is seen from outside. Shared libraries use
            # each other's internal functions: there a version script draws the line.
            if(NOT BUILD_SHARED_LIBS AND NOT target STREQUAL "holdfast-cli")
                set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden)
            endif()
        endif()
        target_sources(${target} PRIVATE ${file})
    endforeach()
endfunction()

# hf_assemble(target objects...): makes a library of object files.
function(hf_assemble target)
    add_library(${target})
    add_library(Holdfast::${target} ALIAS ${target})
    hf_target_settings(${target})
    foreach(objects IN LISTS ARGN)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
endfunction()

# hf_module(name SOURCES file... OBJECTS objects... LIBS target...): a part of the command that it
# loads when a run asks for it (src/cli/modules). Complete in itself, whatever the command links.
function(hf_module name)
    cmake_parse_arguments(arg "" "" "SOURCES;OBJECTS;LIBS" ${ARGN})
    set(target holdfast-${name}-module)
    add_library(${target} MODULE ${arg_SOURCES})
    hf_target_settings(${target})
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    foreach(objects IN LISTS arg_OBJECTS)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
    target_link_libraries(${target} PRIVATE ${arg_LIBS})
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic)
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME holdfast-${name}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/holdfast)
    set_property(GLOBAL APPEND PROPERTY HF_MODULES ${target})
    add_dependencies(holdfast-cli ${target})
endfunction()

# hf_plug(target function): whoever links the library links this function, by which holdfast finds
# its methods (src/methods/plugs.h), also out of an archive or with --as-needed.
function(hf_plug target function)
    if(BUILD_SHARED_LIBS) # nothing of the program refers to it
        target_link_options(${target} INTERFACE LINKER:--no-as-needed)
    else()
        target_link_options(${target} INTERFACE LINKER:-u,${function})
    endif()
endfunction()

# hf_version_script(file): HOLDFAST_<major>.<minor> has every function that a public header marks with
# HF_API; HOLDFAST_PRIVATE_<version> has what the libraries use of each other
# (cmake/private-symbols.txt, made by scripts/private-symbols.sh), of the same version only; all else
# is local.
function(hf_version_script file)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/holdfast/*.h)
    set(public "")
    foreach(header IN LISTS headers)
        file(STRINGS ${header} lines REGEX "^HF_API ")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^[^(]*[ *](hf_[a-z0-9_]+)\\(.*" "\\1" name "${line}")
            string(APPEND public "    ${name};\n")
        endforeach()
    endforeach()
    file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/private-symbols.txt names REGEX "^hf_")
    list(JOIN names ";\n    " private)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/cmake/private-symbols.txt)
    file(CONFIGURE OUTPUT ${file} CONTENT
"HOLDFAST_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} {
global:
@public@};
HOLDFAST_PRIVATE_${PROJECT_VERSION} {
global:
    @private@;
local: *;
};
" @ONLY)
endfunction()

# hf_library(target [PUBLIC target...] [PRIVATE target...] [POSIX]): what a library links, once its
# folders have named its sources. POSIX: may use POSIX.1-2008 beside C17.
function(hf_library target)
    cmake_parse_arguments(arg "POSIX" "" "PUBLIC;PRIVATE" ${ARGN})
    if(NOT TARGET ${target})
        message(STATUS "${target}: no sources yet, skipped")
        return()
    endif()
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    # Before 1.0 a minor version may change the interface.
    set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    if(BUILD_SHARED_LIBS AND NOT HF_EXPORT_ALL)
        set(script ${PROJECT_BINARY_DIR}/holdfast.map)
        if(NOT EXISTS ${script} OR NOT HF_SCRIPT_MADE)
            hf_version_script(${script})
            set(HF_SCRIPT_MADE ON PARENT_SCOPE)
        endif()
        target_link_options(${target} PRIVATE LINKER:--version-script=${script} LINKER:-z,defs)
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
    endif()
    if(arg_POSIX)
        target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    endif()
    foreach(library IN LISTS arg_PUBLIC)
        if(library MATCHES "^holdfast" AND NOT TARGET ${library})
            list(REMOVE_ITEM arg_PUBLIC ${library})
        endif()
    endforeach()
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    set_property(GLOBAL APPEND PROPERTY HF_LIBRARIES ${target})
endfunction()
