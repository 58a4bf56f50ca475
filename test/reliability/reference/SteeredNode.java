import com.google.common.cache.CacheBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
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

/** What the programs of this folder have in common: a java-tron is opened without its own main, and takes its blocks from a pipe. */
final class SteeredNode {
  private static final String VOTED = "voted ";

  private SteeredNode() {
  }

  static TronApplicationContext open(String[] args) {
    Args.setParam(args, "config.conf");
    return refreshed();
  }

  /** As the parameters say that were set. */
  static TronApplicationContext refreshed() {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.setAllowCircularReferences(false);
    TronApplicationContext context = new TronApplicationContext(beans);
    context.register(DefaultConfig.class);
    context.refresh();
    return context;
  }

  /** 4.7.2 keeps the list of stand-by witnesses for 30 s of its clock, that of an abandoned branch too: here it is read each time. */
  static void forgetStandby(Manager manager) throws ReflectiveOperationException {
    for (Field field : WitnessStore.class.getDeclaredFields()) {
      if (field.getName().equals("witnessStandbyCache")) {
        field.setAccessible(true);
        Object cache = field.get(manager.getWitnessStore());
        Field kept = cache.getClass().getDeclaredField("cache");
        kept.setAccessible(true);
        kept.set(cache, CacheBuilder.newBuilder().maximumSize(0).build());
      }
    }
  }

  /**
   * 4.7.2 counts the version of a block in the very bytes that a cache over the disk holds, where no block in memory has that row: the vote
   * stays there when the block is refused or taken back, for 30 s of its clock or until a restart. Here the row is read from the disk.
   */
  static void forgetVersions(Manager manager) throws ReflectiveOperationException {
    for (Chainbase store : ((SnapshotManager) manager.getRevokingStore()).getDbs()) {
      if (store.getDbName().equals("properties")) {
        Field cache = SnapshotRoot.class.getDeclaredField("cache");
        cache.setAccessible(true);
        cache.set(store.getHead().getRoot(), null);
      }
    }
  }

  /**
   * java-tron changes costs in its table of instructions when it first runs a program under a rule (proposals 65, 81, 94, 96), and never
   * changes them back: when the blocks that brought the rule are taken back, they stay until a restart. Here the table is made anew.
   */
  @SuppressWarnings("unchecked")
  static void forgetCosts() {
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
   * 4.8.2 adds up the rewards of the first rule in a thread that looks every 3 s whether it may; who needs them waits for it, and no block
   * comes meanwhile. Here it looks when it is told to.
   *
   * @return null where the release has no such sums
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
    CountDownLatch left = (CountDownLatch) lock.get(service);
    Method look = type.getDeclaredMethod("maybeRun");
    look.setAccessible(true);
    return () -> left.getCount() == 0 ? null : look.invoke(service);
  }

  /**
   * Takes blocks from standard input, one in hex a line, until it ends; `voted <number>` is a height that PBFT has confirmed. Answers at
   * once and after each line with the number and the id of the head.
   */
  static void takeBlocks(Manager manager) throws Exception {
    tell(manager);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(VOTED)) {
        manager.getChainBaseManager().getCommonDataBase().saveLatestPbftBlockNum(Long.parseLong(line.substring(VOTED.length())));
      } else {
        push(manager, ByteArray.fromHexString(line));
      }
      tell(manager);
    }
  }

  /** A block may be refused: the head tells it. */
  private static void push(Manager manager, byte[] block) {
    try {
      manager.pushBlock(new BlockCapsule(block));
    } catch (Exception error) {
      error.printStackTrace();
    }
  }

  static void tell(Manager manager) {
    System.out.println("head " + manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber() + " "
        + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash());
    System.out.flush();
  }
}
