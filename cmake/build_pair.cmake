# Writes OUTPUT, a source file with the digest of the files that the file OBJECTS lists.
file(STRINGS ${OBJECTS} objects)
set(digests)
foreach(object IN LISTS objects)
  file(SHA1 ${object} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA1 pair "${digests}")
file(
  WRITE ${OUTPUT}
  "namespace sinter::codegen {
const char* build_pair();
const char* build_pair() { return \"${pair}\"; }
}  // namespace sinter::codegen
")
