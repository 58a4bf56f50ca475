import com.google.protobuf.ByteString;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.lang3.tuple.Pair;
import org.bouncycastle.util.encoders.Hex;
import org.tron.common.crypto.ECKey;
import org.tron.common.crypto.Hash;
import org.tron.common.parameter.CommonParameter;
import org.tron.common.runtime.vm.DataWord;
import org.tron.core.capsule.AccountCapsule;
import org.tron.core.capsule.TransactionCapsule;
import org.tron.core.vm.PrecompiledContracts;
import org.tron.core.vm.PrecompiledContracts.PrecompiledContract;
import org.tron.core.vm.config.VMConfig;
import org.tron.core.vm.repository.Repository;
import org.tron.protos.Protocol.Account;
import org.tron.protos.Protocol.Key;
import org.tron.protos.Protocol.Permission;

/**
 * Answers questions about edge inputs with java-tron's elliptic curves and precompiles. A line of standard input has questions separated
 * by spaces. The answer is a line with one word per question. A question is a kind and hex fields, separated by colons:
 *
 * <ul>
 * <li>key, hash, signature: the recovered public key
 * <li>signer, hash, signature: the address of that key
 * <li>weigh, hash, signature: the exception of checkWeight for a permission without this key
 * <li>run, address, data: energy, success and output of a precompile
 * <li>multi, addresses, data: success and output of ValidateMultiSign, if the owner permission of each account needs all these addresses
 * </ul>
 *
 * An answer that begins with ! is an exception: its class, and its text in Base64.
 */
public class CurveEdges {
  private static final Map<String, PrecompiledContract> CONTRACTS = new HashMap<>();

  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    VMConfig.initAllowTvmSolidity059(1);
    VMConfig.initAllowTvmIstanbul(1);
    VMConfig.initAllowShieldedTRC20Transaction(1);
    allowShieldedArguments();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      StringBuilder answer = new StringBuilder();
      for (String question : line.split(" ")) answer.append(answer.length() == 0 ? "" : " ").append(answer(question.split(":", -1)));
      answers.println(answer);
      answers.flush();
    }
  }

  /** Turns on the configuration key without which release 4.7.2 computes no Merkle hash. Later releases do not have the key. */
  private static void allowShieldedArguments() throws ReflectiveOperationException {
    CommonParameter parameters = CommonParameter.getInstance();
    for (Method method : CommonParameter.class.getMethods()) {
      if (method.getName().equals("setFullNodeAllowShieldedTransactionArgs")) method.invoke(parameters, true);
    }
  }

  private static String answer(String[] words) {
    try {
      switch (words[0]) {
        case "key":
          return Hex.toHexString(key(words));
        case "signer":
          return Hex.toHexString(Hash.computeAddress(key(words)));
        case "weigh":
          return "" + TransactionCapsule.checkWeight(permission(new String[] {"41" + "00".repeat(20)}),
              Collections.singletonList(ByteString.copyFrom(Hex.decode(words[2]))), Hex.decode(words[1]), null);
        case "run":
          return run(contract(words[1]), Hex.decode(words[2]), true);
        case "multi":
          return multi(words[1].split(","), Hex.decode(words[2]));
        default:
          throw new IllegalArgumentException(words[0]);
      }
    } catch (Throwable error) {
      String text = error.getMessage() == null ? "" : error.getMessage();
      return "!" + error.getClass().getSimpleName() + ":" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static byte[] key(String[] words) throws Exception {
    String signature = TransactionCapsule.getBase64FromByteString(ByteString.copyFrom(Hex.decode(words[2])));
    return ECKey.signatureToKeyBytes(Hex.decode(words[1]), signature);
  }

  private static PrecompiledContract contract(String address) {
    return CONTRACTS.computeIfAbsent(address, (word) -> {
      PrecompiledContract found = PrecompiledContracts.getContractForAddress(new DataWord(word));
      found.setConstantCall(true);
      return found;
    });
  }

  private static String run(PrecompiledContract contract, byte[] data, boolean withEnergy) {
    Pair<Boolean, byte[]> result = contract.execute(data);
    String energy = withEnergy ? contract.getEnergyForData(data) + ":" : "";
    return energy + (result.getLeft() ? "1:" : "0:") + Hex.toHexString(result.getRight());
  }

  private static String multi(String[] addresses, byte[] data) {
    PrecompiledContract contract = contract("0a");
    Permission permission = permission(addresses);
    contract.setRepository((Repository) Proxy.newProxyInstance(CurveEdges.class.getClassLoader(), new Class[] {Repository.class},
        (self, method, arguments) -> {
          if (!method.getName().equals("getAccount")) throw new UnsupportedOperationException(method.getName());
          ByteString address = ByteString.copyFrom((byte[]) arguments[0]);
          return new AccountCapsule(Account.newBuilder().setAddress(address).setOwnerPermission(permission).build());
        }));
    return run(contract, data, false);
  }

  /** Returns a permission that needs all of these addresses, each with the weight 1. */
  private static Permission permission(String[] addresses) {
    Permission.Builder permission = Permission.newBuilder().setThreshold(addresses.length);
    for (String address : addresses)
      permission.addKeys(Key.newBuilder().setAddress(ByteString.copyFrom(Hex.decode(address))).setWeight(1));
    return permission.build();
  }
}
