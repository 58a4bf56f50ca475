import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.tron.common.logsfilter.nativequeue.NativeMessageQueue;

/** Stands in the place of java-tron's native queue, and keeps what is published: no subscriber can be too slow for it. */
class PublishedEvents extends NativeMessageQueue {
  private final List<String> kept = new ArrayList<>();

  @Override
  public boolean start(int bindPort, int sendQueueLength) {
    return true;
  }

  @Override
  public synchronized void publishTrigger(String data, String topic) {
    kept.add(topic + ":" + Base64.getEncoder().encodeToString(data.getBytes(StandardCharsets.UTF_8)));
  }

  /** Since the last call, each its topic and in Base64 its text. */
  synchronized List<String> take() {
    List<String> taken = new ArrayList<>(kept);
    kept.clear();
    return taken;
  }
}
