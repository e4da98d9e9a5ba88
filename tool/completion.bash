# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of the words of `sinter` for bash.
_sinter() {
    local words
    case $COMP_CWORD,${COMP_WORDS[1]},${COMP_WORDS[2]} in
        1,*) words="cache doctor calibrate --help --version" ;;
        2,cache,*) words="list size clear --help" ;;
        3,cache,list | 3,cache,size) words="--json --help" ;;
        2,doctor,* | 2,calibrate,*) words="--json --help" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -F _sinter sinter
