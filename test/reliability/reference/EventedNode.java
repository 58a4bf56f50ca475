import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.tron.common.application.TronApplicationContext;
import org.tron.common.logsfilter.EventPluginLoader;
import org.tron.common.logsfilter.capsule.TriggerCapsule;
import org.tron.common.logsfilter.nativequeue.NativeMessageQueue;
import org.tron.common.utils.ByteArray;
import org.tron.core.capsule.BlockCapsule;
import org.tron.core.consensus.ConsensusService;
import org.tron.core.db.Manager;

/**
 * A java-tron without peers and services that takes blocks from standard input, one in hex a line, and answers with the head (number and
 * id), and with what it published of the block: topics with texts in Base64. Its own threads do not publish: after each block what they
 * would have done is done here to the end, so that the order is the same in every run. `again number` lets event service 1 begin as at a
 * start whose configuration names that height.
 */
public class EventedNode {
  private static final String AGAIN = "again ";
  private static final PublishedEvents published = new PublishedEvents();
  private static Manager manager;
  private static Callable<?> oldRewards;
  private static BlockingQueue<TriggerCapsule> waiting;
  private static Later later;

  public static void main(String[] args) {
    PrintStream answers = System.out;
    System.setOut(System.err);
    try {
      start(args);
      answers.println(head());
      answers.flush();
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String answer = line.startsWith(AGAIN) ? again(Long.parseLong(line.substring(AGAIN.length()))) : push(ByteArray.fromHexString(line));
        answers.println(answer + " " + head() + " " + String.join(",", published.take()));
        answers.flush();
      }
      Runtime.getRuntime().halt(0);
    } catch (Throwable error) {
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  @SuppressWarnings("unchecked")
  private static void start(String[] args) throws Exception {
    Field queue = NativeMessageQueue.class.getDeclaredField("instance");
    queue.setAccessible(true);
    queue.set(null, published);
    TronApplicationContext context = SteeredNode.open(args);
    context.getBean(ConsensusService.class).start();
    manager = context.getBean(Manager.class);
    SteeredNode.forgetStandby(manager);
    SteeredNode.forgetVersions(manager);
    oldRewards = SteeredNode.oldRewards(context);
    manager.stopRePushThread();
    manager.stopRePushTriggerThread();
    // The thread looks whether it is to end once a second.
    Thread.sleep(1500);
    Field capsules = Manager.class.getDeclaredField("triggerCapsuleQueue");
    capsules.setAccessible(true);
    waiting = (BlockingQueue<TriggerCapsule>) capsules.get(manager);
    later = Later.of(context, manager);
  }

  private static String push(byte[] block) {
    String answer = "taken";
    SteeredNode.forgetCosts();
    try {
      if (oldRewards != null) {
        oldRewards.call();
      }
      manager.pushBlock(new BlockCapsule(block));
    } catch (Throwable error) {
      answer = error.getClass().getSimpleName();
      System.err.println(error);
    }
    manager.getRePushTransactions().clear();
    manager.getPoppedTransactions().clear();
    if (later != null) {
      later.work();
    }
    publish();
    return answer;
  }

  private static String again(long number) throws Exception {
    later.again(number);
    publish();
    return "again";
  }

  private static void publish() {
    for (TriggerCapsule each = waiting.poll(); each != null; each = waiting.poll()) {
      try {
        each.processTrigger();
      } catch (Throwable error) {
        // Its loop goes on behind what it fails on, too.
        System.err.println("not published: " + error);
      }
    }
  }

  private static String head() {
    return manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber() + " "
        + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash();
  }

  /** The event service 1 of later releases, without its clocks. */
  private static final class Later {
    /** More than enough: it looks at a hundred blocks at a time. */
    private static final int LOADS = 10;
    private final Object[] services;
    private final Method[] methods;
    private final Object history;

    private Later(Object[] services, Method[] methods, Object history) {
      this.services = services;
      this.methods = methods;
      this.history = history;
    }

    /** @return null where the release has none, or the configuration another one */
    static Later of(TronApplicationContext context, Manager manager) throws Exception {
      Class<?> cache;
      try {
        cache = Class.forName("org.tron.core.services.event.BlockEventCache");
      } catch (ClassNotFoundException none) {
        return null;
      }
      Object version = EventPluginLoader.class.getMethod("getVersion").invoke(EventPluginLoader.getInstance());
      if (!version.equals(1)) {
        return null;
      }
      cache.getMethod("init", BlockCapsule.BlockId.class).invoke(null, manager.getChainBaseManager().getHeadBlockId());
      String[] names = {"BlockEventLoad", "RealtimeEventService", "SolidEventService"};
      Object[] services = new Object[names.length];
      Method[] methods = new Method[names.length];
      for (int at = 0; at < names.length; at++) {
        Class<?> type = Class.forName("org.tron.core.services.event." + names[at]);
        services[at] = context.getBean(type);
        methods[at] = type.getMethod(at == 0 ? "load" : "work");
      }
      return new Later(services, methods, context.getBean(Class.forName("org.tron.core.services.event.HistoryEventService")));
    }

    /** Behind the past it would start its clocks, which are stopped: it takes that for a failure, and the rest is done here. */
    void again(long number) throws Exception {
      for (Object service : services) {
        ((ExecutorService) valueOf(service, "executor")).shutdownNow();
      }
      field(EventPluginLoader.class, "startSyncBlockNum").set(EventPluginLoader.getInstance(), number);
      field(history.getClass(), "thread").set(history, Thread.currentThread());
      Method tell = history.getClass().getDeclaredMethod("syncEvent");
      tell.setAccessible(true);
      tell.invoke(history);
      for (int turn = 0; turn < LOADS; turn++) {
        work();
      }
    }

    private static Object valueOf(Object owner, String name) throws ReflectiveOperationException {
      return field(owner.getClass(), name).get(owner);
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    }

    void work() {
      for (int at = 0; at < services.length; at++) {
        try {
          methods[at].invoke(services[at]);
        } catch (ReflectiveOperationException error) {
          System.err.println("event service: " + error.getCause());
        }
      }
    }
  }
}
