"""Reads topics of a Kafka sink with the deserializers of Confluent, and prints each record as a line of JSON.

    registry_client.py <bootstrap> <registry> <avro|json> <records> <topic>...

Each topic must have one partition. Ends after the given number of records, or with exit code 1 after 60 s without a
record.
"""

import json
import sys

from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.schema_registry.json_schema import JSONDeserializer
from confluent_kafka.serialization import MessageField, SerializationContext


def main(bootstrap, registry, payload, count, *topics):
    client = SchemaRegistryClient({"url": registry})
    if payload == "avro":
        decode = AvroDeserializer(client)
    else:
        decode = JSONDeserializer(None, schema_registry_client=client)
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "registry-client",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
        }
    )
    consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING) for topic in topics])
    for _ in range(int(count)):
        message = consumer.poll(60)
        if message is None or message.error():
            print(message and message.error(), file=sys.stderr)
            return 1
        event = decode(message.value(), SerializationContext(message.topic(), MessageField.VALUE))
        print(json.dumps({"topic": message.topic(), "event": event}))
    consumer.close()
    return 0


sys.exit(main(*sys.argv[1:]))
