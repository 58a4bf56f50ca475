import org.tron.common.application.Application;
import org.tron.common.application.ApplicationFactory;
import org.tron.common.application.TronApplicationContext;
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
    TronApplicationContext context = SteeredNode.open(args);
    Application application = ApplicationFactory.create(context);
    application.addService(context.getBean(FullNodeHttpApiService.class));
    // Not initServices: all that it does is to load the parameters of shielded transactions, which the sources do not hold.
    application.startServices();
    application.startup();
    SteeredNode.takeBlocks(context.getBean(Manager.class));
    application.shutdownServices();
    application.shutdown();
    System.out.println("stopped");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
