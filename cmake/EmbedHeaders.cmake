# cmake -D FOLDER=device/sluice -D ENDING=cuh -D FUNCTION=deviceHeaders -D OUTPUT=x.cpp
#   -P EmbedHeaders.cmake: every header as a string, named as printed kernels include it.
file(GLOB HEADERS ${FOLDER}/*.${ENDING})
list(SORT HEADERS)
set(TEXT "#include \"Launch/DeviceHeaders.h\"\n\nnamespace sluice {\n")
string(APPEND TEXT "namespace {\nconst DeviceHeader headers[] = {\n")
foreach(HEADER ${HEADERS})
  get_filename_component(NAME ${HEADER} NAME)
  file(READ ${HEADER} CONTENT)
  string(APPEND TEXT "{\"sluice/${NAME}\", R\"header(${CONTENT})header\"},\n")
endforeach()
string(APPEND TEXT "};\n} // namespace\n\nstd::span<const DeviceHeader> ${FUNCTION}() { return headers; }\n")
string(APPEND TEXT "} // namespace sluice\n")
file(WRITE ${OUTPUT} "${TEXT}")
