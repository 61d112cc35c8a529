# What a printed CMake file asks of CANN, on our model of the API: ASCEND_HOME_PATH=test/ascendc/cann.
# A library has one kernel, which our aclrt launches, and the header that launches it.
set(ascendc_model ${CMAKE_CURRENT_LIST_DIR}/../../../..)

add_library(ascendcl INTERFACE)

function(ascendc_library name type kernel)
  get_filename_component(function ${kernel} NAME_WE)
  get_filename_component(file ${kernel} ABSOLUTE)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/launches/aclrtlaunch_${function}.h
    "#include <acl/launch.h>\n")
  add_library(${name} ${type} ${ascendc_model}/acl/launch_model.cpp)
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_compile_definitions(${name} PRIVATE KERNEL=${function} KERNEL_FILE="${file}")
  target_include_directories(${name} PUBLIC ${ascendc_model} ${CMAKE_CURRENT_BINARY_DIR}/launches)
endfunction()

function(ascendc_include_directories name scope)
  target_include_directories(${name} ${scope} ${ARGN})
endfunction()
