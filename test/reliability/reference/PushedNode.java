import org.tron.common.application.Application;
import org.tron.common.application.ApplicationFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.core.db.Manager;
import org.tron.core.services.http.FullNodeHttpApiService;

/**
 * Starts java-tron without peers on a data folder, with its HTTP server. Reads blocks from standard input, one per line in hex. Prints
 * number and id of the head after the start and after each block. Shuts java-tron down at the end of the input.
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
    // initServices is not called: it only loads the parameters of shielded transactions, which the sources do not contain.
    application.startServices();
    application.startup();
    SteeredNode.readBlocks(context.getBean(Manager.class));
    application.shutdownServices();
    application.shutdown();
    System.out.println("stopped");
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }
}
