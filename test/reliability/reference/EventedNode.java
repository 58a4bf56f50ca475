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
 * Starts java-tron without peers and services. Reads blocks from standard input, one per line in hex. Prints number and id of the head,
 * and the messages that java-tron published for the block: topics, with texts in Base64. java-tron's own threads do not publish. This
 * program does their work after each block, so the order is the same in every run. The command `again number` starts event service 1 as
 * after a start with that height in the configuration.
 */
public class EventedNode {
  private static final String AGAIN = "again ";
  private static final PublishedEvents published = new PublishedEvents();
  private static Manager manager;
  private static Callable<?> oldRewards;
  private static BlockingQueue<TriggerCapsule> triggers;
  private static EventService eventService;

  public static void main(String[] args) {
    PrintStream answers = System.out;
    System.setOut(System.err);
    try {
      start(args);
      answers.println(head());
      answers.flush();
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String answer = line.startsWith(AGAIN)
            ? again(Long.parseLong(line.substring(AGAIN.length()))) : push(ByteArray.fromHexString(line));
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
    SteeredNode.turnOffStandbyCache(manager);
    SteeredNode.turnOffVersionCache(manager);
    oldRewards = SteeredNode.oldRewards(context);
    manager.stopRePushThread();
    manager.stopRePushTriggerThread();
    // The thread checks once per second whether it must end.
    Thread.sleep(1500);
    Field capsules = Manager.class.getDeclaredField("triggerCapsuleQueue");
    capsules.setAccessible(true);
    triggers = (BlockingQueue<TriggerCapsule>) capsules.get(manager);
    eventService = EventService.of(context, manager);
  }

  private static String push(byte[] block) {
    String answer = "taken";
    SteeredNode.resetCosts();
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
    if (eventService != null) {
      eventService.work();
    }
    publish();
    return answer;
  }

  private static String again(long number) throws Exception {
    eventService.again(number);
    publish();
    return "again";
  }

  private static void publish() {
    for (TriggerCapsule each = triggers.poll(); each != null; each = triggers.poll()) {
      try {
        each.processTrigger();
      } catch (Throwable error) {
        // The loop of java-tron also continues after an error.
        System.err.println("not published: " + error);
      }
    }
  }

  private static String head() {
    return manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber() + " "
        + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash();
  }

  /** Event service 1 of later releases, without its timers. */
  private static final class EventService {
    /** Number of calls until all blocks are loaded. A call loads up to 100 blocks, and the chains of the tests are shorter than 1,000. */
    private static final int LOADS = 10;
    private final Object[] services;
    private final Method[] methods;
    private final Object history;

    private EventService(Object[] services, Method[] methods, Object history) {
      this.services = services;
      this.methods = methods;
      this.history = history;
    }

    /** @return the service; null if the release or the configuration does not have it */
    static EventService of(TronApplicationContext context, Manager manager) throws Exception {
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
      return new EventService(services, methods, context.getBean(Class.forName("org.tron.core.services.event.HistoryEventService")));
    }

    /**
     * Publishes the events from a height on. After the past blocks, java-tron starts its timers. They are stopped here, so java-tron
     * ends with an error, and this function does the rest.
     */
    void again(long number) throws Exception {
      for (Object service : services) {
        ((ExecutorService) valueOf(service, "executor")).shutdownNow();
      }
      field(EventPluginLoader.class, "startSyncBlockNum").set(EventPluginLoader.getInstance(), number);
      field(history.getClass(), "thread").set(history, Thread.currentThread());
      Method sync = history.getClass().getDeclaredMethod("syncEvent");
      sync.setAccessible(true);
      sync.invoke(history);
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
