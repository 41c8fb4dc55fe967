#!/bin/sh
# Fetches what pom.xml pins into .kafka: the broker, Spark's connector, and the PySpark of exactly
# the connector's version, since the two share internals of Spark.
set -eu
cd "$(dirname "$0")/../.."
pom=tests/kafka/pom.xml

if ! command -v mvn >/dev/null; then
    echo "make test-kafka needs Maven (mvn), which is not installed." >&2
    exit 1
fi
for part in broker connector; do
    rm -rf ".kafka/$part"
    mvn --batch-mode --quiet --update-snapshots -f $pom -P $part dependency:copy-dependencies \
        -DincludeScope=runtime -DoutputDirectory="$PWD/.kafka/$part" >.kafka-fetch.log 2>&1 || {
        echo "make test-kafka needs Maven Central, which cannot be reached or lacks what $pom names:" \
            "$(grep -m 1 ERROR .kafka-fetch.log || true)" >&2
        rm -f .kafka-fetch.log
        exit 1
    }
    rm -f .kafka-fetch.log
done
version=$(sed -n 's:.*<spark.version>\(.*\)</spark.version>.*:\1:p' $pom)
rm -rf .kafka/python
"$BIN"/python -m pip --disable-pip-version-check --quiet install --target .kafka/python "pyspark==$version"
