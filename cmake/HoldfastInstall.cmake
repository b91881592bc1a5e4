# SPDX-License-Identifier: Apache-2.0
# Installation: libraries, headers, command, pkg-config files, CMake package, manual, completions.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY HF_LIBRARIES)
if(NOT libraries)
    return()
endif()

install(TARGETS ${libraries} EXPORT HoldfastTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/holdfast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET holdfast-cli)
    install(TARGETS holdfast-cli)
    if(BUILD_SHARED_LIBS)
        file(RELATIVE_PATH to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties(holdfast-cli PROPERTIES INSTALL_RPATH $ORIGIN/${to_lib})
    endif()
endif()
if(BUILD_SHARED_LIBS)
    set_target_properties(${libraries} PROPERTIES INSTALL_RPATH $ORIGIN)
endif()

# CMake package
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Holdfast)
install(EXPORT HoldfastTargets NAMESPACE Holdfast:: DESTINATION ${package_dir})
configure_package_config_file(packaging/HoldfastConfig.cmake.in
    ${PROJECT_BINARY_DIR}/HoldfastConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/HoldfastConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/HoldfastConfig.cmake
              ${PROJECT_BINARY_DIR}/HoldfastConfigVersion.cmake DESTINATION ${package_dir})

# pkg-config: static libraries name what they need openly, so that plain `pkg-config --libs` links.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH HF_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" HF_PC_PREFIX ${HF_PC_PREFIX})
if(BUILD_SHARED_LIBS)
    set(HF_PC_REQUIRES_KEY Requires.private)
    set(HF_PC_LIBM "")
else()
    set(HF_PC_REQUIRES_KEY Requires)
    set(HF_PC_LIBM " -lm")
endif()

# hf_pkgconfig(library "description" required...)
function(hf_pkgconfig HF_PC_NAME HF_PC_DESCRIPTION)
    if(NOT TARGET ${HF_PC_NAME})
        return()
    endif()
    list(JOIN ARGN ", " HF_PC_REQUIRES)
    configure_file(${PROJECT_SOURCE_DIR}/packaging/library.pc.in
                   ${PROJECT_BINARY_DIR}/${HF_PC_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${HF_PC_NAME}.pc DESTINATION ${pc_dir})
endfunction()

set(exact "= ${PROJECT_VERSION}")
hf_pkgconfig(holdfast-laws "Friction and contact laws, freestanding")
hf_pkgconfig(holdfast "Machines whose friction really sticks" "holdfast-laws ${exact}")
hf_pkgconfig(holdfast-models "Holdfast's model files" "holdfast ${exact}" libfyaml muparser)
hf_pkgconfig(holdfast-record "Holdfast's recordings" "holdfast ${exact}" ${HDF5_MODULE_NAME})
hf_pkgconfig(holdfast-report "Holdfast's figures" "holdfast-record ${exact}")

# Manual and completions
file(GLOB manuals ${PROJECT_SOURCE_DIR}/man/*.1)
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
foreach(entry IN ITEMS holdfast.bash:bash-completion/completions:holdfast
                       holdfast.zsh:zsh/site-functions:_holdfast
                       _holdfast:zsh/site-functions:_holdfast
                       holdfast.fish:fish/vendor_completions.d:holdfast.fish)
    string(REPLACE ":" ";" entry ${entry})
    list(GET entry 0 from)
    list(GET entry 1 folder)
    list(GET entry 2 name)
    if(EXISTS ${PROJECT_SOURCE_DIR}/completions/${from})
        install(FILES ${PROJECT_SOURCE_DIR}/completions/${from}
                DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} RENAME ${name})
    endif()
endforeach()
