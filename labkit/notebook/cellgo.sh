#!/bin/sh
# The go command as the kernel finds it: the next one on PATH. Below an error
# that changing a notebook leads to, one line says what to do about it. The
# kernel passes on all that go says, so the line reaches every front end.

here=${0%/*}
path=
IFS=:
for dir in $PATH; do
	[ "$dir" = "$here" ] || path=$path${path:+:}$dir
done
unset IFS
PATH=$path

case "$1 ${2-}" in
"build -o" | "test -c" | "get " | "get -t") ;; # what the kernel does with a cell
*) exec go "$@" ;;
esac

said=$(go "$@" 2>&1)
status=$?
[ -z "$said" ] || printf '%s\n' "$said"
[ $status -ne 0 ] || exit 0

# found prints what the expression finds in the error, each once, in one line.
found() { printf '%s\n' "$said" | sed -nE "$1" | sort -u | paste -sd ' ' -; }

name='[[:alpha:]_][[:alnum:]_]*'
position='^\./main(_test)?\.go:[0-9:]+ '
# Packages that a cell could hide: of the standard library, and the lab's, whose
# folder the kernel has written down here.
packages='bytes|context|errors|exec|filepath|fmt|gob|io|json|maps|math|os|rand|runtime|slices|sort|strconv|strings|time|labkit'
lab=$(sed -nE 's#^[[:space:]]*(use )?"?(/[^"]*)"?$#\2#p' go.work 2>/dev/null)
for folder in "$lab"/labkit/*/; do
	folder=${folder%/}
	[ ! -d "$folder" ] || packages="$packages|${folder##*/}"
done

missing=$(found 's/^[[:space:]]*([^[:space:]]+): (module lookup disabled by GOPROXY=off|cannot find module providing package).*/\1/p')
if [ -n "$missing" ]; then
	echo "lab: cells fetch no modules. Once, in a terminal in the lab's folder: go get $missing - then run the cell again."
fi
nowhere=$(found 's/^[[:space:]]*(shelflab[^[:space:]]*): package .* is not in std.*/\1/p')
if [ -n "$nowhere" ]; then
	echo "lab: there is no package $nowhere: make its folder in the repository, or mend the import; then run the cell again."
fi
hidden=$(found "s#$position($packages)\.$name (is not a type|undefined \(type ).*#\2#p")
if [ -n "$hidden" ]; then
	echo "lab: a function, type or variable of a cell hides the package $hidden: rename it in its cell, restart the kernel (Kernel > Restart Kernel) and run the cells again."
fi
lacking=$(found "s#${position}undefined: ($packages)\$#\2#p")
if [ -n "$lacking" ]; then # goimports has taken the import away
	echo "lab: the package $lacking has not the name behind the dot: go doc lists what it has."
fi
undefined=$(found "/undefined: ($packages)\$/d; s#${position}undefined: ($name)\$#\2#p")
if [ -n "$undefined" ]; then
	case " $undefined " in
	*" plan "*) above="plan comes from the parameter cell: run that first, and then what stands between (Run > Run All Above Selected Cell)." ;;
	*) above="if a cell further up declares it, run that one first (Run > Run All Above Selected Cell)." ;;
	esac
	echo "lab: not known here: $undefined. A cell sees what was run before it: $above"
fi
exit $status
