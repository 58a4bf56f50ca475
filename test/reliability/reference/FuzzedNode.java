import com.google.protobuf.ByteString;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.tron.common.application.TronApplicationContext;
import org.tron.common.crypto.SignUtils;
import org.tron.common.utils.ByteArray;
import org.tron.consensus.base.Param;
import org.tron.core.Wallet;
import org.tron.core.capsule.BlockCapsule;
import org.tron.core.capsule.TransactionCapsule;
import org.tron.core.consensus.ConsensusService;
import org.tron.core.db.Manager;
import org.tron.core.db2.ISession;
import org.tron.core.store.BalanceTraceStore;
import org.tron.protos.Protocol.Account;

/**
 * Starts java-tron without peers and services. Reads commands from standard input, one per line, and prints one line per answer:
 *
 * <ul>
 * <li>stores a,b,c: sets the stores that are compared; prints the head and all their rows
 * <li>rows: prints the head and all rows again
 * <li>tx hex: submits a transaction
 * <li>make key witness time: produces a block from the pending transactions, and prints it
 * <li>push hex: pushes a block; prints the head with its receipts, the rows that may have changed, and the stored accounts
 * <li>try hex block: executes a transaction in a block and reverts it; prints the receipt and the rows that it wrote
 * <li>accounts a,b,c: prints accounts as clients receive them
 * <li>forget: deletes the transactions that were pending before the last block
 * <li>again: submits these transactions again; prints the ids of the pending transactions
 * </ul>
 *
 * The answer about an exception has its class, and its text in Base64.
 */
public class FuzzedNode {
  private static Manager manager;
  private static Wallet wallet;
  private static FuzzedRows rows;
  private static StoredAccounts stored;
  private static Callable<?> oldRewards;
  private static PrintStream answers;

  public static void main(String[] args) {
    try {
      answers = System.out;
      System.setOut(System.err);
      start(args);
      serve();
      Runtime.getRuntime().halt(0);
    } catch (Throwable error) {
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void start(String[] args) throws ReflectiveOperationException {
    TronApplicationContext context = SteeredNode.open(args);
    context.getBean(ConsensusService.class).start();
    manager = context.getBean(Manager.class);
    wallet = context.getBean(Wallet.class);
    manager.stopRePushThread();
    SteeredNode.turnOffStandbyCache(manager);
    SteeredNode.turnOffVersionCache(manager);
    stored = new StoredAccounts(manager);
    oldRewards = SteeredNode.oldRewards(context);
  }

  private static void serve() throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      String answer;
      try {
        answer = answer(words);
      } catch (Throwable error) {
        answer = "refused " + error.getClass().getSimpleName() + " " + textOf(error) + ("push".equals(words[0]) ? " " + head() : "");
      }
      answers.println(answer);
      answers.flush();
    }
  }

  private static String answer(String[] words) throws Exception {
    SteeredNode.resetCosts();
    switch (words[0]) {
      case "stores":
        rows = new FuzzedRows(manager, new HashSet<>(Arrays.asList(words[1].split(","))));
        return "ok " + head() + " " + rows.all();
      case "rows":
        return "ok " + head() + " " + rows.all();
      case "tx":
        offer(new TransactionCapsule(ByteArray.fromHexString(words[1])));
        return "ok";
      case "make":
        return make(ByteArray.fromHexString(words[1]), ByteArray.fromHexString(words[2]), Long.parseLong(words[3]));
      case "push":
        stored.clear();
        if (oldRewards != null) {
          oldRewards.call();
        }
        manager.pushBlock(new BlockCapsule(ByteArray.fromHexString(words[1])));
        return "ok " + head() + " " + rows.changed() + " " + stored.take();
      case "try":
        return attempt(new TransactionCapsule(ByteArray.fromHexString(words[1])),
            new BlockCapsule(ByteArray.fromHexString(words[2])));
      case "accounts":
        return "ok " + shown(words[1].split(","));
      case "forget":
        clearPending();
        return "ok";
      case "again":
        offerAgain();
        return "ok " + manager.getPendingTransactions().stream().map(each -> each.getTransactionId().toString())
            .collect(Collectors.joining(","));
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  /** Submits a transaction like a peer or a client. */
  private static void offer(TransactionCapsule transaction) throws Exception {
    transaction.setTime(System.currentTimeMillis());
    manager.pushTransaction(transaction);
  }

  /** Executes and reverts a transaction. No transaction is pending, so the newest snapshot has only the rows of this one. */
  private static String attempt(TransactionCapsule transaction, BlockCapsule block) throws Exception {
    try (ISession session = manager.getRevokingStore().buildSession()) {
      String receipt = ByteArray.toHexString(manager.processTransaction(transaction, block).toByteArray());
      return "ok " + receipt + " " + rows.onTop();
    } finally {
      clearTrace(manager.getChainBaseManager().getBalanceTraceStore());
    }
  }

  /** Deletes the balance trace of the transaction. After a rejected block, java-tron has no trace. */
  private static void clearTrace(BalanceTraceStore traces) {
    if (traces.getCurrentTransactionBalanceTrace() != null) {
      traces.resetCurrentTransactionTrace();
    }
  }

  private static String make(byte[] key, byte[] witness, long time) {
    ByteString signer = ByteString.copyFrom(SignUtils.fromPrivate(key, true).getAddress());
    Param.Miner miner = Param.getInstance().new Miner(key, signer, ByteString.copyFrom(witness));
    BlockCapsule block = manager.generateBlock(miner, time, Long.MAX_VALUE);
    return block == null ? "none" : "ok " + ByteArray.toHexString(block.getData());
  }

  /** Does the work of java-tron's thread that submits transactions again. */
  private static void offerAgain() {
    for (TransactionCapsule each = manager.getRePushTransactions().peek(); each != null;
        each = manager.getRePushTransactions().peek()) {
      try {
        manager.rePush(each);
      } catch (RuntimeException rejected) {
        // java-tron drops the transaction too.
      } finally {
        manager.getRePushTransactions().remove(each);
      }
    }
  }

  /**
   * Returns accounts as clients receive them after a transaction since the last block: that transaction makes java-tron write all
   * solidified blocks to the disk.
   */
  private static String shown(String[] addresses) throws Exception {
    try (ISession pending = manager.getRevokingStore().buildSession(); ISession first = manager.getRevokingStore().buildSession()) {
      first.revoke();
    }
    return Arrays.stream(addresses).map(ByteArray::fromHexString).map(ByteString::copyFrom)
        .map(address -> wallet.getAccount(Account.newBuilder().setAddress(address).build()))
        .map(account -> account == null ? "none" : ByteArray.toHexString(account.toByteArray())).collect(Collectors.joining(","));
  }

  /** Deletes the pending transactions and their effects. java-tron keeps both if it already has the pushed block. */
  private static void clearPending() {
    manager.getSession().reset();
    manager.getPendingTransactions().clear();
    manager.getRePushTransactions().clear();
    manager.getPoppedTransactions().clear();
  }

  /** Returns number, id, solidified number and receipts of the head. */
  private static String head() throws Exception {
    long number = manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber();
    byte[] infos = manager.getTransactionRetStore().getUnchecked(ByteArray.fromLong(number)) == null ? new byte[0]
        : manager.getTransactionRetStore().getUnchecked(ByteArray.fromLong(number)).getData();
    return number + " " + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash() + " "
        + manager.getDynamicPropertiesStore().getLatestSolidifiedBlockNum() + " " + ByteArray.toHexString(infos) + "-";
  }

  private static String textOf(Throwable error) {
    String text = error.getMessage();
    return text == null ? "-" : "=" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
