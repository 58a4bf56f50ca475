// Sends 1 TRX from the first account of the private network. Requires: npm install tronweb
import { TronWeb } from 'tronweb';

const tronWeb = new TronWeb({
  fullHost: 'http://localhost:8090',
  privateKey: 'b9e04eab4fe9dc5eee2de3906d9336d57c509b6a729c5823d9b085c39b93f200',
});
const { result, txid } = await tronWeb.trx.sendTransaction('TTqc8d8pYhh6EBNrs8cBNdK36cbeRRrsau', 1_000_000);
console.log(result, txid);
