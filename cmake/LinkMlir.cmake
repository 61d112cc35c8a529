# sluice_link_mlir(target): links `target`, and whatever links it, with MLIR and LLVM.
#
# Exactly the archives that the roots below need: a program with the packaged shared libraries takes
# 27 ms to start, with archives 3 ms, and linking takes as long. The sanitizers' build has the shared
# ones. The two must never mix in one program (type ids and options would exist twice), so the walk
# replaces the reference of every packaged MLIR archive to the shared LLVM by LLVM archives.

# What our sources use directly; their dependencies are found by walking the packaged targets.
set(SLUICE_MLIR_ROOTS
    MLIRIR MLIRParser MLIRPass MLIRTransforms MLIRTransformUtils MLIRSupport
    MLIRArithDialect MLIRArithUtils MLIRMathDialect MLIRSCFDialect MLIRSCFTransforms MLIRSCFUtils MLIRFuncDialect
    MLIRPresburger
    MLIROptLib MLIRLspServerLib)
set(SLUICE_LLVM_COMPONENTS Support SupportLSP TargetParser Demangle Core BitstreamReader)

# Appends to `result` the archive of `target` and of everything it needs, except the shared LLVM.
function(sluice_collect_archives target result)
  if(NOT TARGET ${target} OR ${target} STREQUAL LLVM OR ${target} IN_LIST ${result})
    return()
  endif()
  set(names ${${result}} ${target})
  get_target_property(needs ${target} INTERFACE_LINK_LIBRARIES)
  foreach(need IN LISTS needs)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" need "${need}")
    sluice_collect_archives(${need} names)
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(sluice_make_static_mlir)
  set(names)
  foreach(root IN LISTS SLUICE_MLIR_ROOTS)
    sluice_collect_archives(${root} names)
  endforeach()
  llvm_map_components_to_libnames(llvm ${SLUICE_LLVM_COMPONENTS})
  foreach(root IN LISTS llvm)
    sluice_collect_archives(${root} names)
  endforeach()
  set(archives)
  foreach(name IN LISTS names)
    get_target_property(type ${name} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND archives $<TARGET_FILE:${name}>)
    endif()
  endforeach()
  find_library(SLUICE_ZLIB NAMES libz.a REQUIRED)
  find_library(SLUICE_ZSTD NAMES libzstd.a REQUIRED)
  add_library(sluice_static_mlir INTERFACE)
  target_link_libraries(sluice_static_mlir INTERFACE
    -Wl,--start-group ${archives} -Wl,--end-group ${SLUICE_ZLIB} ${SLUICE_ZSTD} dl pthread m
    -Wl,--gc-sections)
endfunction()

if(NOT SLUICE_SANITIZE)
  sluice_make_static_mlir()
endif()

function(sluice_link_mlir target)
  if(SLUICE_SANITIZE)
    target_link_libraries(${target} PUBLIC MLIR LLVM)
  else()
    target_link_libraries(${target} PUBLIC sluice_static_mlir)
  endif()
endfunction()
