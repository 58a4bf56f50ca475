import java.lang.reflect.Method;
import org.tron.common.application.Application;
import org.tron.common.application.ApplicationFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.core.db.Manager;

/**
 * Starts java-tron without peers, with all its interfaces. Reads blocks from standard input, one per line in hex. Prints number and id of
 * the head after the start and after each block. Ends at the end of the input.
 */
public class ServedNode {
  private static final String[] SERVICES = {
    "RpcApiService", "http.FullNodeHttpApiService", "jsonrpc.FullNodeJsonRpcHttpService",
    "interfaceOnSolidity.RpcApiServiceOnSolidity", "interfaceOnSolidity.http.solidity.HttpApiOnSolidityService",
    "interfaceJsonRpcOnSolidity.JsonRpcServiceOnSolidity", "interfaceOnPBFT.RpcApiServiceOnPBFT",
    "interfaceOnPBFT.http.PBFT.HttpApiOnPBFTService", "interfaceJsonRpcOnPBFT.JsonRpcServiceOnPBFT",
  };

  public static void main(String[] args) {
    try {
      run(args);
    } catch (Throwable error) {
      error.printStackTrace();
    }
    Runtime.getRuntime().halt(1);
  }

  private static void run(String[] args) throws Exception {
    TronApplicationContext context = SteeredNode.open(args);
    Application application = ApplicationFactory.create(context);
    startServices(application, context, SERVICES);
    application.startup();
    // Release 4.7.2 cannot parse the versions of newer Java releases in answers about the node.
    System.setProperty("java.version", "1.8.0");
    SteeredNode.readBlocks(context.getBean(Manager.class));
    Runtime.getRuntime().halt(0);
  }

  /** Starts services of release 4.7.2. Later releases start them themselves. */
  static void startServices(Application application, TronApplicationContext context, String[] names) throws Exception {
    Method add = null;
    for (Method method : Application.class.getMethods()) {
      if (method.getName().equals("addService")) {
        add = method;
      }
    }
    if (add == null) {
      return;
    }
    for (String name : names) {
      add.invoke(application, context.getBean(Class.forName("org.tron.core.services." + name)));
    }
    // initServices is not called: it only loads the parameters of shielded transactions, which the sources do not contain.
    Application.class.getMethod("startServices").invoke(application);
  }
}
