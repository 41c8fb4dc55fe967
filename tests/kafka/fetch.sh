#!/bin/sh
# Fetches what pom.xml pins into .kafka: the broker, and Spark's connector.
set -eu
cd "$(dirname "$0")/../.."
pom=tests/kafka/pom.xml

if ! command -v mvn >/dev/null; then
    echo "make test-kafka needs Maven (mvn), which is not installed." >&2
    exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for part in broker connector; do
    rm -rf ".kafka/$part"
    mvn --batch-mode --quiet -f $pom -P $part dependency:copy-dependencies \
        -DincludeScope=runtime -DoutputDirectory="$PWD/.kafka/$part" >"$log" 2>&1 || {
        echo "make test-kafka needs Maven Central, which cannot be reached or lacks what $pom names:" \
            "$(grep -m 1 ERROR "$log" | sed 's/^.*ERROR[^ ]* *//')" >&2
        exit 1
    }
done
