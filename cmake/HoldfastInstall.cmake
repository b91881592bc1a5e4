# SPDX-License-Identifier: Apache-2.0
# Installation: libraries, headers, command, pkg-config files, CMake package, manual, completions.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY HF_LIBRARIES)
if(NOT libraries)
    return()
endif()

# A tree that may be moved finds its libraries by its own place; a distribution's finds them by the system.
option(HF_INSTALL_RPATH "Installed programs look for shared libraries beside themselves" ON)
set(HF_INSTALL_PYTHON "" CACHE STRING "Folder below the prefix to install the package for Python in; empty: none")

install(TARGETS ${libraries} EXPORT HoldfastTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/holdfast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/holdfast)

if(TARGET holdfast-cli)
    install(TARGETS holdfast-cli)
    if(TARGET holdfast-sweep-mpi)
        install(TARGETS holdfast-sweep-mpi)
    endif()
    get_property(modules GLOBAL PROPERTY HF_MODULES)
    if(modules)
        install(TARGETS ${modules} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/holdfast)
    endif()
    if(BUILD_SHARED_LIBS AND HF_INSTALL_RPATH)
        file(RELATIVE_PATH to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties(holdfast-cli PROPERTIES INSTALL_RPATH $ORIGIN/${to_lib})
        if(TARGET holdfast-sweep-mpi)
            set_target_properties(holdfast-sweep-mpi PROPERTIES INSTALL_RPATH $ORIGIN/${to_lib})
        endif()
        list(REMOVE_ITEM modules holdfast-fmu) # needs none of the libraries
        if(modules)
            set_target_properties(${modules} PROPERTIES INSTALL_RPATH $ORIGIN/..)
        endif()
    endif()
endif()
if(BUILD_SHARED_LIBS AND HF_INSTALL_RPATH)
    set_target_properties(${libraries} PROPERTIES INSTALL_RPATH $ORIGIN)
endif()
if(TARGET holdfast-python AND HF_INSTALL_PYTHON)
    install(TARGETS holdfast-python LIBRARY DESTINATION ${HF_INSTALL_PYTHON}/holdfast)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/holdfast DESTINATION ${HF_INSTALL_PYTHON}
            FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed")
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

# pkg-config. Holdfast's own libraries are named openly: headers of one use another. What they need
# beside is private to shared libraries; static ones pass it on, so that plain `--libs` links.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH HF_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" HF_PC_PREFIX ${HF_PC_PREFIX})
if(BUILD_SHARED_LIBS)
    set(HF_PC_LIBM "")
else()
    set(HF_PC_LIBM " -lm")
endif()

# hf_pkgconfig(library "description" [OWN library...] [OTHER module...] [LIBS flag...] [PLUG function])
function(hf_pkgconfig HF_PC_NAME HF_PC_DESCRIPTION)
    cmake_parse_arguments(arg "" "PLUG" "OWN;OTHER;LIBS" ${ARGN})
    if(NOT TARGET ${HF_PC_NAME})
        return()
    endif()
    list(TRANSFORM arg_OWN APPEND " = ${PROJECT_VERSION}")
    if(NOT BUILD_SHARED_LIBS)
        list(APPEND arg_OWN ${arg_OTHER})
        set(arg_OTHER "")
    endif()
    list(JOIN arg_LIBS " " HF_PC_LIBS)
    if(HF_PC_LIBS AND NOT BUILD_SHARED_LIBS)
        set(HF_PC_LIBM " ${HF_PC_LIBS}${HF_PC_LIBM}")
    endif()
    # No program names the symbols of a library of methods: it is linked all the same, as an archive by
    # its table's name, as a shared library by a linker that does not ask whether it is needed.
    set(HF_PC_LINK "-l${HF_PC_NAME}")
    if(arg_PLUG AND BUILD_SHARED_LIBS)
        set(HF_PC_LINK "-Wl,--push-state,--no-as-needed,-l${HF_PC_NAME},--pop-state")
    elseif(arg_PLUG)
        set(HF_PC_LINK "-Wl,-u,${arg_PLUG} -l${HF_PC_NAME}")
    endif()
    list(JOIN arg_OWN ", " HF_PC_REQUIRES)
    list(JOIN arg_OTHER ", " HF_PC_REQUIRES_PRIVATE)
    configure_file(${PROJECT_SOURCE_DIR}/packaging/library.pc.in
                   ${PROJECT_BINARY_DIR}/${HF_PC_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${HF_PC_NAME}.pc DESTINATION ${pc_dir})
endfunction()

hf_pkgconfig(holdfast-laws "Friction and contact laws, freestanding")
hf_pkgconfig(holdfast "Machines whose friction really sticks" OWN holdfast-laws)
# SUNDIALS comes without pkg-config files: its libraries are named one by one.
hf_pkgconfig(holdfast-adaptive "Holdfast's methods to a tolerance, by SUNDIALS" OWN holdfast
    LIBS -lsundials_cvode -lsundials_arkode -lsundials_nvecserial
    PLUG hf_adaptive_methods)
hf_pkgconfig(holdfast-contact "Holdfast's contacts between shapes" OWN holdfast
    PLUG hf_contact_methods)
hf_pkgconfig(holdfast-nlp "Friction and contact as nonlinear programs, by IPOPT" OWN holdfast-contact OTHER ipopt
    PLUG hf_nlp_methods)
hf_pkgconfig(holdfast-robots "Robots for Holdfast: MJCF, URDF, SDF" OWN holdfast OTHER expat ${PNG_MODULE_NAME})
hf_pkgconfig(holdfast-models "Holdfast's model files" OWN holdfast-robots OTHER libfyaml)
hf_pkgconfig(holdfast-fit "Parameters of Holdfast's machines from logs" OWN holdfast-models)
hf_pkgconfig(holdfast-fmi "Holdfast's machines as FMUs" OWN holdfast-models OTHER zlib)
hf_pkgconfig(holdfast-record "Holdfast's recordings" OWN holdfast OTHER ${HDF5_MODULE_NAME})
hf_pkgconfig(holdfast-fclib "Friction-contact problems in FCLIB's files" OWN holdfast
    OTHER ${HDF5_MODULE_NAME})
hf_pkgconfig(holdfast-sweep "Holdfast's sweeps: many runs and their table" OWN holdfast-models holdfast-record)
hf_pkgconfig(holdfast-report "Holdfast's figures and pages" OWN holdfast-record OTHER zlib)

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
