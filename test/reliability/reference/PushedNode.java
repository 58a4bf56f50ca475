import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.tron.common.application.Application;
import org.tron.common.application.ApplicationFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.common.utils.ByteArray;
import org.tron.core.capsule.BlockCapsule;
import org.tron.core.config.DefaultConfig;
import org.tron.core.config.args.Args;
import org.tron.core.db.Manager;
import org.tron.core.services.http.FullNodeHttpApiService;

/**
 * A java-tron without peers that opens a data folder, answers over HTTP and takes its blocks from standard input, one in hex a line.
 * Answers with the head after the start and after each block: its number and id. Stops in order where the input ends.
 */
public class PushedNode {
  public static void main(String[] args) {
    try {
      run(args);
    } catch (Throwable error) {
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void run(String[] args) throws Exception {
    Args.setParam(args, "config.conf");
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    beans.setAllowCircularReferences(false);
    TronApplicationContext context = new TronApplicationContext(beans);
    context.register(DefaultConfig.class);
    context.refresh();
    Application application = ApplicationFactory.create(context);
    application.addService(context.getBean(FullNodeHttpApiService.class));
    // Not initServices: all that it does is to load the parameters of shielded transactions, which the sources do not hold.
    application.startServices();
    application.startup();
    Manager manager = context.getBean(Manager.class);
    tell(manager);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      manager.pushBlock(new BlockCapsule(ByteArray.fromHexString(line)));
      tell(manager);
    }
    application.shutdownServices();
    application.shutdown();
    System.out.println("stopped");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static void tell(Manager manager) {
    System.out.println("head " + manager.getDynamicPropertiesStore().getLatestBlockHeaderNumber() + " "
        + manager.getDynamicPropertiesStore().getLatestBlockHeaderHash());
    System.out.flush();
  }
}
