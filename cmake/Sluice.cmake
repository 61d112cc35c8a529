# How our targets are built: warnings, sanitizers, linker, and the two kinds of library.
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(${CMAKE_CURRENT_LIST_DIR}/LinkMlir.cmake)

find_program(SLUICE_MOLD mold)
if(SLUICE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
# ccache takes what a file includes from the compiler, which saves a run of the preprocessor, and
# allows for precompiled headers.
find_program(SLUICE_CCACHE ccache)
if(SLUICE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
      ${SLUICE_CCACHE})
endif()
# Precompiled headers are for the everyday build: the release and the sanitizers' compile each file
# with what it includes itself. Headers of ours among them keep their warnings.
if(SLUICE_STATIC OR SLUICE_SANITIZE)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
set(CMAKE_PCH_PROLOGUE "")

add_compile_options(-Wall -Wextra -Werror -Wno-unused-parameter)
# g++ collects its garbage once there are 400 MB of it: a tenth less time, and 150 MB more.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(--param=ggc-min-heapsize=400000)
endif()
if(SLUICE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -g1
                      -fno-omit-frame-pointer)
  # libMLIR was built without vptr checks and its types have no typeinfo that the check could use.
  add_compile_options(-fno-sanitize=vptr)
  # With sanitizers g++ 12 takes std::regex for uninitialised.
  add_compile_options(-Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
endif()
if(SLUICE_STATIC)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed -s)
endif()

# For what runs a short while beside the proof and the virtual machine, or spends its time in MLIR.
# The release is optimised throughout.
macro(sluice_compile_quickly)
  if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT SLUICE_STATIC)
    add_compile_options(-O1 -Wno-maybe-uninitialized) # g++ 12 says so of std::optional
  endif()
endmacro()

# Files are compiled eight at a time: their headers and templates once. They share their unnamed
# namespaces then. The sanitizers' build compiles each alone.
option(SLUICE_TOGETHER "Compile files of a library together" ON)
if(SLUICE_SANITIZE)
  set(SLUICE_TOGETHER OFF)
endif()
function(sluice_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SLUICE_TOGETHER} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# A library without MLIR. Headers are included as "Program/Program.h".
function(sluice_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/lib ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# A library that uses MLIR (no exceptions cross it).
function(sluice_mlir_library name)
  sluice_library(${name} ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_include_directories(${name} PUBLIC ${CMAKE_BINARY_DIR}/lib)
  add_dependencies(${name} SluiceDialectIncGen)
  sluice_link_mlir(${name})
endfunction()
