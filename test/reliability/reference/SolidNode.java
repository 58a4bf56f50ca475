import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.tron.common.application.Application;
import org.tron.common.application.ApplicationFactory;
import org.tron.common.application.TronApplicationContext;
import org.tron.common.parameter.CommonParameter;
import org.tron.core.config.args.Args;
import org.tron.core.db.Manager;
import org.tron.core.store.DynamicPropertiesStore;

/**
 * Starts java-tron's solidity node, which follows the trusted node of its configuration. Each line of standard input is a height. Prints
 * number and id of the head when the block at that height is solidified.
 */
public class SolidNode {
  private static final String[] SERVICES = {"RpcApiService", "http.solidity.SolidityNodeHttpApiService"};

  public static void main(String[] args) {
    try {
      run(args);
    } catch (Throwable error) {
      error.printStackTrace();
    }
    Runtime.getRuntime().halt(1);
  }

  private static void run(String[] args) throws Exception {
    Args.setParam(args, "config.conf");
    CommonParameter.getInstance().solidityNode = true;
    TronApplicationContext context = SteeredNode.start();
    Application application = ApplicationFactory.create(context);
    ServedNode.startServices(application, context, SERVICES);
    application.startup();
    System.setProperty("java.version", "1.8.0");
    follow(context);
    Manager manager = context.getBean(Manager.class);
    SteeredNode.printHead(manager);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      DynamicPropertiesStore properties = manager.getDynamicPropertiesStore();
      while (properties.getLatestSolidifiedBlockNum() < Long.parseLong(line)) {
        Thread.sleep(20);
      }
      SteeredNode.printHead(manager);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Starts to follow the trusted node. The follower is a plain object in release 4.7.2, and a bean in later releases. */
  private static void follow(TronApplicationContext context) throws Exception {
    Class<?> type = Class.forName("org.tron.program.SolidityNode");
    Constructor<?> constructor = type.getConstructors()[0];
    boolean isBean = constructor.getParameterCount() == 0;
    Object node = isBean ? context.getBean(type) : constructor.newInstance(context.getBean(Manager.class));
    Method start = type.getDeclaredMethod(isBean ? "run" : "start");
    start.setAccessible(true);
    start.invoke(node);
  }
}
