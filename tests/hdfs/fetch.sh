#!/bin/sh
# Fetches what pom.xml pins into .hdfs: Hadoop's mini cluster.
set -eu
cd "$(dirname "$0")/../.."
pom=tests/hdfs/pom.xml

if ! command -v mvn >/dev/null; then
    echo "make test-hdfs needs Maven (mvn), which is not installed." >&2
    exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rm -rf .hdfs
mvn --batch-mode --quiet -f $pom dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$PWD/.hdfs" >"$log" 2>&1 || {
    echo "make test-hdfs needs Maven Central, which cannot be reached or lacks what $pom names:" \
        "$(grep -m 1 ERROR "$log" | sed 's/^.*ERROR[^ ]* *//')" >&2
    exit 1
}
