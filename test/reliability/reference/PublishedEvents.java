import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.tron.common.logsfilter.nativequeue.NativeMessageQueue;

/** Replaces java-tron's native queue, and stores the published messages. Unlike the native queue, it never drops a message. */
class PublishedEvents extends NativeMessageQueue {
  private final List<String> messages = new ArrayList<>();

  @Override
  public boolean start(int bindPort, int sendQueueLength) {
    return true;
  }

  @Override
  public synchronized void publishTrigger(String data, String topic) {
    messages.add(topic + ":" + Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the messages since the last call: each with its topic, and its text in Base64. */
  synchronized List<String> take() {
    List<String> taken = new ArrayList<>(messages);
    messages.clear();
    return taken;
  }
}
