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
 * java-tron's solidity node, which follows the node that its configuration trusts. A line of standard input is a height: answered with
 * the number and the id of the head when that block is irreversible.
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
    TronApplicationContext context = SteeredNode.refreshed();
    Application application = ApplicationFactory.create(context);
    ServedNode.startServices(application, context, SERVICES);
    application.startup();
    System.setProperty("java.version", "1.8.0");
    follow(context);
    Manager manager = context.getBean(Manager.class);
    SteeredNode.tell(manager);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      DynamicPropertiesStore properties = manager.getDynamicPropertiesStore();
      while (properties.getLatestSolidifiedBlockNum() < Long.parseLong(line)) {
        Thread.sleep(20);
      }
      SteeredNode.tell(manager);
    }
    Runtime.getRuntime().halt(0);
  }

  /** An object of its own in 4.7.2, later a bean. */
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
