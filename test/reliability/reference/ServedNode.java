import java.lang.reflect.Method;
import org.tron.common.application.Application;
import org.tron.common.application.ApplicationFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.core.db.Manager;

/**
 * A java-tron without peers that serves all its interfaces, and takes its blocks from standard input, one in hex a line. Answers
 * with a line after the start and after each block: the number and the id of the head. Ends where the input ends.
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
    // 4.7.2 cannot read the number of a later Java than the one it was released for, where it is asked what it is.
    System.setProperty("java.version", "1.8.0");
    SteeredNode.takeBlocks(context.getBean(Manager.class));
    Runtime.getRuntime().halt(0);
  }

  /** Later releases start them by themselves. */
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
    // Not initServices: all that it does is to load the parameters of shielded transactions, which the sources do not hold.
    Application.class.getMethod("startServices").invoke(application);
  }
}
