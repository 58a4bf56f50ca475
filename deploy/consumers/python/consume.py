"""Reads a topic of Tronicle from its first record. Verifies by the headers that no record is missing, repeated or out of order.

    python consume.py <bootstrap> <topic> [seconds without a record after which to end; 0: never]

Exit code: 0 continuous, 1 a gap, 2 nothing could be read.
"""

import sys
import time

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, TopicPartition

BLOCKS_MAX = 100_000  # maximum number of cached blocks, to compare records of different partitions


def is_whole(headers):
    """Returns True for a value that is not split, and for the last part of a split value."""
    return "part" not in headers or int(headers["part"]) + 1 == int(headers["parts"])


def name_of(headers):
    """Returns seq/index of a record. For a part of a value, adds the number of the part."""
    if headers is None:
        return "nothing"
    part = f" part {headers['part']} of {headers['parts']}" if "part" in headers else ""
    return f"{headers.get('seq')}/{headers.get('index')}{part}"


def link_problem(before, record):
    """Returns a sentence if a record does not follow the previous record of its partition. Parts of a value must be adjacent."""
    last = before or {}
    if record.get("part", "0") != "0":
        same = all(last.get(name) == record.get(name) for name in ("seq", "index", "parts"))
        if same and int(last["part"]) + 1 == int(record["part"]):
            return None
        return f"gap: {name_of(record)} comes after {name_of(before)}"
    if not is_whole(last):
        return f"gap: {name_of(record)} comes after {name_of(before)}"
    if (record.get("prevSeq"), record.get("prevIndex")) == (last.get("seq"), last.get("index")):
        return None
    named = f"{record['prevSeq']}/{record.get('prevIndex')}" if "prevSeq" in record else "nothing"
    return f"gap: {name_of(record)} says that it follows {named}, but comes after {name_of(before)}"


class Continuity:
    """Checks records by their headers, in the order of each partition."""

    def __init__(self):
        self.newest = {}  # partition -> offset and headers of the newest record
        self.block_ids = {}

    def check(self, place, offset, headers):
        """Returns one sentence for each problem of a record."""
        _, before = self.newest.get(place, (None, None))
        self.newest[place] = (offset, headers)
        problems = [link_problem(before, headers), *self.block_problems(headers)]
        return [f"{place}@{offset}: {problem}" for problem in problems if problem]

    def unfinished(self):
        """Returns a sentence for each value whose last part is missing."""
        return [
            f"{place}@{offset}: the topic ends after {name_of(headers)}"
            for place, (offset, headers) in self.newest.items()
            if not is_whole(headers)
        ]

    def block_problems(self, headers):
        """Yields a sentence if records of a block have different block ids, or if the parent of a block is not the block below."""
        if "blockNum" not in headers or "blockId" not in headers:
            yield "a record without block headers"
            return
        # A stream of unsolidified blocks reverts blocks, so two blocks may have the same height.
        if "change" in headers:
            return
        number, block_id = int(headers["blockNum"]), headers["blockId"]
        known = self.block_ids.setdefault(number, block_id)
        if known != block_id:
            yield f"block {number} is {block_id}, and was {known}"
        parent = self.block_ids.get(number - 1)
        if parent is not None and parent != headers.get("parentId"):
            yield f"block {number} follows {headers.get('parentId')}, but the block below it is {parent}"
        if len(self.block_ids) > BLOCKS_MAX:
            del self.block_ids[next(iter(self.block_ids))]


def main(bootstrap, topic, idle="5"):
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            # The consumer never receives records of a transaction that is uncommitted or aborted.
            "isolation.level": "read_committed",
            # Partitions are assigned explicitly, so the group commits no offsets. A real consumer stores seq and index of
            # each partition together with its own output.
            "group.id": "tronicle-continuity",
            "enable.auto.commit": False,
            "allow.auto.create.topics": False,
        }
    )
    partitions = consumer.list_topics(topic, timeout=30).topics[topic].partitions
    consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING) for partition in partitions])
    continuity, records, gaps = Continuity(), 0, 0
    last = time.monotonic()
    try:
        while float(idle) == 0 or time.monotonic() - last < float(idle):
            message = consumer.poll(0.5)
            if message is None:
                continue
            if message.error():
                print(message.error(), file=sys.stderr)
                continue
            last = time.monotonic()
            records += 1
            headers = {name: value.decode() for name, value in message.headers() or []}
            for problem in continuity.check(f"{topic}/{message.partition()}", message.offset(), headers):
                gaps += 1
                print(problem, flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        consumer.close()
    for problem in continuity.unfinished():
        gaps += 1
        print(problem)
    print(f"{records} records in {len(continuity.newest)} partitions, {gaps} problems")
    return 1 if gaps else 0 if records else 2


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(*sys.argv[1:]))
    except KafkaException as error:
        print(error, file=sys.stderr)
        sys.exit(2)
