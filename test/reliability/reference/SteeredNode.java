import com.google.common.cache.CacheBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.common.utils.ByteArray;
import org.tron.core.capsule.BlockCapsule;
import org.tron.core.config.DefaultConfig;
import org.tron.core.config.args.Args;
import org.tron.core.db.Manager;
import org.tron.core.db2.core.Chainbase;
import org.tron.core.db2.core.SnapshotManager;
import org.tron.core.db2.core.SnapshotRoot;
import org.tron.core.store.WitnessStore;
import org.tron.core.vm.OperationRegistry;

/** Functions that the programs of this folder share: they start java-tron without its main method and send it blocks through a pipe. */
final class SteeredNode {
  private static final String VOTED = "voted ";

  private SteeredNode() {
  }

  static TronApplicationContext open(String[] args) {
    Args.setParam(args, "config.conf");
    return start();
  }

  /** Starts java-tron with the parameters that are set. */
  static TronApplicationContext start() {
    skipShieldedParameters();
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.setAllowCircularReferences(false);
    TronApplicationContext context = new TronApplicationContext(beans);
    context.register(DefaultConfig.class);
    context.refresh();
    return context;
  }

  /**
   * Release 4.8.2 loads the parameters of shielded transactions at its start. The sources do not contain them, so this sets the flag that
   * they are loaded.
   */
  private static void skipShieldedParameters() {
    try {
      Field initialized = Class.forName("org.tron.core.zen.ZksnarkInitService").getDeclaredField("initialized");
      initialized.setAccessible(true);
      ((AtomicBoolean) initialized.get(null)).set(true);
    } catch (ClassNotFoundException olderRelease) {
      // Release 4.7.2 loads them in initServices, which the programs do not call.
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  /**
   * Turns off a cache of release 4.7.2: it keeps the list of standby witnesses for 30 s of its clock, also after a reorg. Without the
   * cache, the list is read each time.
   */
  static void turnOffStandbyCache(Manager manager) throws ReflectiveOperationException {
    for (Field field : WitnessStore.class.getDeclaredFields()) {
      if (field.getName().equals("witnessStandbyCache")) {
        field.setAccessible(true);
        Object cache = field.get(manager.getWitnessStore());
        Field entries = cache.getClass().getDeclaredField("cache");
        entries.setAccessible(true);
        entries.set(cache, CacheBuilder.newBuilder().maximumSize(0).build());
      }
    }
  }

  /**
   * Turns off a cache of release 4.7.2. If no block in memory has the row of version votes, 4.7.2 changes the cached bytes of that row.
   * After the block is rejected or rolled back, the vote then stays for 30 s of its clock or until a restart. Without the cache, the row
   * is read from the disk.
   */
  static void turnOffVersionCache(Manager manager) throws ReflectiveOperationException {
    for (Chainbase store : ((SnapshotManager) manager.getRevokingStore()).getDbs()) {
      if (store.getDbName().equals("properties")) {
        Field cache = SnapshotRoot.class.getDeclaredField("cache");
        cache.setAccessible(true);
        cache.set(store.getHead().getRoot(), null);
      }
    }
  }

  /**
   * Creates java-tron's table of opcodes again. java-tron changes energy costs in this table when it first runs a program under proposals
   * 65, 81, 94 or 96. It never changes them back: after the blocks of the proposal are rolled back, the costs stay until a restart.
   */
  @SuppressWarnings("unchecked")
  static void resetCosts() {
    OperationRegistry.Version[] versions = OperationRegistry.Version.values();
    OperationRegistry.Version newest = versions[versions.length - 1];
    try {
      Field tables = OperationRegistry.class.getDeclaredField("tableMap");
      tables.setAccessible(true);
      Method made = OperationRegistry.class.getMethod("newTron" + newest.name().replaceAll("TRON_|_", "") + "OperationSet");
      ((Map<OperationRegistry.Version, Object>) tables.get(null)).put(newest, made.invoke(null));
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  /**
   * Stops the thread of release 4.8.2 that sums the rewards of the old algorithm. That thread checks every 3 s whether it may begin, and
   * a block that needs the sums waits for it.
   *
   * @return a function that checks once; null if the release has no such sums
   */
  static Callable<?> oldRewards(TronApplicationContext context) throws ReflectiveOperationException {
    Class<?> type;
    try {
      type = Class.forName("org.tron.core.service.RewardViCalService");
    } catch (ClassNotFoundException older) {
      return null;
    }
    Object service = context.getBean(type);
    Field thread = type.getDeclaredField("es");
    thread.setAccessible(true);
    ((ExecutorService) thread.get(service)).shutdownNow();
    Field lock = type.getDeclaredField("lock");
    lock.setAccessible(true);
    CountDownLatch unfinished = (CountDownLatch) lock.get(service);
    Method check = type.getDeclaredMethod("maybeRun");
    check.setAccessible(true);
    return () -> unfinished.getCount() == 0 ? null : check.invoke(service);
  }

  /**
   * Reads commands from standard input until it ends, one per line: a block in hex, or `voted <number>`, a height that PBFT has confirmed.
   * Prints number and id of the head at the start and after each line.
   */
  static void readBlocks(Manager manager) throws Exception {
    printHead(manager);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(VOTED)) {
        manager.getChainBaseManager().getCommonDataBase().saveLatestPbftBlockNum(Long.parseLong(line.substring(VOTED.length())));
      } else {
        push(manager, ByteArray.fromHexString(line));
      }
      printHead(manager);
    }
  }

  /** Pushes a block. If it is rejected, the head stays the same. */
  private static void push(Manager manager, byte[] block) {
    try {
      manager.pushBlock(new BlockCapsule(block));
    } catch (Exception error) {
      error.printStackTrace();
    }
  }

  static void printHead(Manager manager) {
    System.out.println("head " + manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber() + " "
        + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash());
    System.out.flush();
  }
}
