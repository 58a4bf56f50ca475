import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.common.utils.ByteArray;
import org.tron.core.capsule.BlockCapsule;
import org.tron.core.config.DefaultConfig;
import org.tron.core.config.args.Args;
import org.tron.core.db.Manager;

/** What the programs of this folder have in common: a java-tron is opened without its own main, and takes its blocks from a pipe. */
final class SteeredNode {
  private SteeredNode() {
  }

  static TronApplicationContext open(String[] args) {
    Args.setParam(args, "config.conf");
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.setAllowCircularReferences(false);
    TronApplicationContext context = new TronApplicationContext(beans);
    context.register(DefaultConfig.class);
    context.refresh();
    return context;
  }

  /**
   * Takes blocks from standard input, one in hex a line, until it ends. Answers at once and after each block with a line: the number and
   * the id of the head.
   */
  static void takeBlocks(Manager manager) throws Exception {
    tell(manager);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      manager.pushBlock(new BlockCapsule(ByteArray.fromHexString(line)));
      tell(manager);
    }
  }

  private static void tell(Manager manager) {
    System.out.println("head " + manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber() + " "
        + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash());
    System.out.flush();
  }
}
