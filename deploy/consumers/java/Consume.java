import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic of Tronicle from its first record and verifies by the headers that no record is missing, duplicated or out of order.
 * Exit code: 0 continuous, 1 a gap, 2 the topic cannot be read.
 */
public final class Consume {
  /** Maximum number of cached blocks, to compare records of different partitions. */
  private static final int BLOCKS_MAX = 100_000;

  /** Headers of the newest record of each partition. */
  private final Map<String, Map<String, String>> newest = new HashMap<>();

  private final Map<Long, String> blockIds =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > BLOCKS_MAX;
        }
      };

  public static void main(String[] args) {
    if (args.length < 2 || args.length > 3) {
      System.err.println("usage: Consume <bootstrap> <topic> [seconds without a record after which to end; 0: never]");
      System.exit(2);
    }
    long idleMs = args.length < 3 ? 5000 : Math.round(Double.parseDouble(args[2]) * 1000);
    try {
      System.exit(new Consume().run(args[0], args[1], idleMs));
    } catch (KafkaException error) {
      System.err.println(error.getMessage());
      System.exit(2);
    }
  }

  private int run(String bootstrap, String topic, long idleMs) {
    Properties options = new Properties();
    options.put("bootstrap.servers", bootstrap);
    // The consumer never receives records of a transaction that is uncommitted or aborted.
    options.put("isolation.level", "read_committed");
    // Partitions are assigned explicitly, so no group commits offsets. A real consumer stores seq and index of each partition
    // together with its own output.
    options.put("enable.auto.commit", "false");
    options.put("allow.auto.create.topics", "false");
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    int records = 0;
    int gaps = 0;
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(options, bytes, bytes)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream().map(found -> new TopicPartition(topic, found.partition())).toList();
      if (partitions.isEmpty()) throw new KafkaException("there is no topic " + topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long last = System.currentTimeMillis();
      while (idleMs == 0 || System.currentTimeMillis() - last < idleMs) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
          last = System.currentTimeMillis();
          records++;
          for (String problem : check(record)) {
            gaps++;
            System.out.println(problem);
          }
        }
      }
    }
    for (Map.Entry<String, Map<String, String>> end : newest.entrySet()) {
      if (isWhole(end.getValue())) continue;
      gaps++;
      System.out.println(end.getKey() + ": the topic ends after " + nameOf(end.getValue()));
    }
    System.out.println(records + " records in " + newest.size() + " partitions, " + gaps + " problems");
    return gaps > 0 ? 1 : records > 0 ? 0 : 2;
  }

  /** Checks a record and returns one sentence for each problem. Call in the order of the partition. */
  private List<String> check(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    String place = record.topic() + "/" + record.partition();
    List<String> problems = new ArrayList<>();
    String link = linkProblem(newest.put(place, headers), headers);
    if (link != null) problems.add(link);
    addBlockProblems(headers, problems);
    return problems.stream().map(problem -> place + "@" + record.offset() + ": " + problem).toList();
  }

  /** Within a partition, every record names the record before it; parts of one value are adjacent. */
  private static String linkProblem(Map<String, String> before, Map<String, String> record) {
    Map<String, String> last = before == null ? Map.of() : before;
    if (!record.getOrDefault("part", "0").equals("0")) {
      boolean isSame = List.of("seq", "index", "parts").stream().allMatch(name -> agree(last, name, record, name));
      if (isSame && Integer.parseInt(last.get("part")) + 1 == Integer.parseInt(record.get("part"))) return null;
      return "gap: " + nameOf(record) + " comes after " + nameOf(before);
    }
    if (!isWhole(last)) return "gap: " + nameOf(record) + " comes after " + nameOf(before);
    if (agree(last, "seq", record, "prevSeq") && agree(last, "index", record, "prevIndex")) return null;
    String named = record.containsKey("prevSeq") ? record.get("prevSeq") + "/" + record.get("prevIndex") : "nothing";
    return "gap: " + nameOf(record) + " says that it follows " + named + ", but comes after " + nameOf(before);
  }

  /** All records of a block have the same block id, and its parent is the block below it. */
  private void addBlockProblems(Map<String, String> headers, List<String> problems) {
    String id = headers.get("blockId");
    if (id == null || !headers.containsKey("blockNum")) {
      problems.add("a record without block headers");
      return;
    }
    // A stream of unsolidified blocks reverts blocks, so two blocks may have the same height.
    if (headers.containsKey("change")) return;
    long number = Long.parseLong(headers.get("blockNum"));
    String known = blockIds.putIfAbsent(number, id);
    if (known != null && !known.equals(id)) problems.add("block " + number + " is " + id + ", and was " + known);
    String parent = blockIds.get(number - 1);
    String named = headers.get("parentId");
    if (parent != null && !parent.equals(named)) {
      problems.add("block " + number + " follows " + named + ", but the block below it is " + parent);
    }
  }

  private static boolean agree(Map<String, String> one, String name, Map<String, String> other, String otherName) {
    return Objects.equals(one.get(name), other.get(otherName));
  }

  /** Returns true for a complete value and for the last part of one. */
  private static boolean isWhole(Map<String, String> headers) {
    return !headers.containsKey("part")
        || Integer.parseInt(headers.get("part")) + 1 == Integer.parseInt(headers.get("parts"));
  }

  /** Returns seq/index, with the part number if it is a part. */
  private static String nameOf(Map<String, String> headers) {
    if (headers == null) return "nothing";
    String part = headers.containsKey("part") ? " part " + headers.get("part") + " of " + headers.get("parts") : "";
    return headers.get("seq") + "/" + headers.get("index") + part;
  }
}
