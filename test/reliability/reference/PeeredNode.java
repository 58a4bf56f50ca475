import com.google.protobuf.ByteString;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.tron.api.GrpcAPI;
import org.tron.common.application.Application;
import org.tron.common.application.ApplicationFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.common.crypto.SignUtils;
import org.tron.common.utils.ByteArray;
import org.tron.consensus.base.Param;
import org.tron.core.ChainBaseManager;
import org.tron.core.Wallet;
import org.tron.core.capsule.BlockCapsule;
import org.tron.core.db.Manager;
import org.tron.core.net.TronNetService;
import org.tron.core.net.message.adv.BlockMessage;
import org.tron.p2p.connection.ChannelManager;
import org.tron.protos.Protocol.Transaction;

/**
 * Starts java-tron with peers. Reads commands from standard input, one per line, and prints one line per answer:
 *
 * <ul>
 * <li>push hex: pushes a block
 * <li>make key witness time: produces a block from the pending transactions, announces it to the peers, and pushes it
 * <li>tx hex: submits a transaction like a client
 * <li>look name: runs one check of release 4.8.2 that may disconnect a peer
 * <li>part: stops the network layer
 * <li>facts: only prints the answer
 * </ul>
 *
 * An answer has the word `head`, number and id of the head, the number of pending transactions, the height of the newest block with PBFT
 * votes, and the number of peers. The produced block, the code of a broadcast, or the class of an exception follows.
 */
public class PeeredNode {
  private static Manager manager;

  public static void main(String[] args) {
    try {
      TronApplicationContext context = SteeredNode.open(args);
      Application application = ApplicationFactory.create(context);
      application.startup();
      manager = context.getBean(Manager.class);
      serve(context);
      Runtime.getRuntime().halt(0);
    } catch (Throwable error) {
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void serve(TronApplicationContext context) throws Exception {
    printHead("");
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      String note = "";
      try {
        note = execute(context, words);
      } catch (Exception refused) {
        note = " " + refused.getClass().getSimpleName();
      }
      printHead(note);
    }
  }

  private static String execute(TronApplicationContext context, String[] words) throws Exception {
    byte[] bytes = words.length > 1 && !words[0].equals("look") ? ByteArray.fromHexString(words[1]) : null;
    switch (words[0]) {
      case "push":
        manager.pushBlock(new BlockCapsule(bytes));
        return "";
      case "make":
        ByteString signer = ByteString.copyFrom(SignUtils.fromPrivate(bytes, true).getAddress());
        ByteString witness = ByteString.copyFrom(ByteArray.fromHexString(words[2]));
        BlockCapsule block = manager.generateBlock(Param.getInstance().new Miner(bytes, signer, witness), Long.parseLong(words[3]),
            Long.MAX_VALUE);
        context.getBean(TronNetService.class).broadcast(new BlockMessage(block));
        manager.pushBlock(block);
        return " " + ByteArray.toHexString(block.getData());
      case "look":
        look(context, words[1]);
        return "";
      case "part":
        context.getBean(TronNetService.class).close();
        return "";
      case "tx":
        GrpcAPI.Return answer = context.getBean(Wallet.class).broadcastTransaction(Transaction.parseFrom(bytes));
        return " " + answer.getCode();
      default:
        return "";
    }
  }

  /** Runs a check for peers to disconnect, as if the newest block was older than a minute. */
  private static void look(TronApplicationContext context, String name) throws ReflectiveOperationException {
    Field saved = ChainBaseManager.class.getDeclaredField("latestSaveBlockTime");
    saved.setAccessible(true);
    saved.set(manager.getChainBaseManager(), System.currentTimeMillis() - 61_000);
    Class<?> service = Class.forName("org.tron.core.net.service.effective.ResilienceService");
    Method look = service.getDeclaredMethod(name);
    look.setAccessible(true);
    look.invoke(context.getBean(service));
  }

  private static void printHead(String note) {
    System.out.println("head " + manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber() + " "
        + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash() + " " + manager.getPendingTransactions().size() + " "
        + manager.getChainBaseManager().getCommonDataBase().getLatestPbftBlockNum() + " "
        + ChannelManager.getChannels().size() + note);
    System.out.flush();
  }
}
