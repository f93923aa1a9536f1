#!/bin/bash
# Records an AOT cache while an echo server answers a short load. Usage: .ci/aot.sh CLI_JAR CACHE (JAVA_HOME is set)
set -euo pipefail
jar=$1 cache=$2
java=$JAVA_HOME/bin/java

rm -f "$cache"
coproc SERVER { exec "$java" -XX:AOTCacheOutput="$cache" -jar "$jar" echo-server --addr 127.0.0.1:0 --mode protocol; }
server=$SERVER_PID
trap 'kill "$server" 2>/dev/null || true' EXIT
exec {input}>&"${SERVER[1]}"
while read -r -t 30 -u "${SERVER[0]}" line; do
    [[ $line == "listening on "* ]] && break
done
"$java" -jar "$jar" echo-client --addr "${line#listening on }" --connections 10 --duration 3

# The end of its standard input ends the server, which then writes the cache.
eval "exec ${SERVER[1]}>&-"
exec {input}>&-
wait "$server" || true
[ -s "$cache" ] || { echo "aot: no cache was written" >&2; exit 1; }
echo "use it with: java -XX:AOTCache=$cache -jar $jar"
