// Uses a private network with gotron-sdk. Reads {accounts, witness, register} as JSON. Prints the results as one JSON object.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"time"

	"github.com/fbsobreira/gotron-sdk/pkg/address"
	"github.com/fbsobreira/gotron-sdk/pkg/client"
	"github.com/fbsobreira/gotron-sdk/pkg/client/transaction"
	"github.com/fbsobreira/gotron-sdk/pkg/contract"
	"github.com/fbsobreira/gotron-sdk/pkg/keys"
	"github.com/fbsobreira/gotron-sdk/pkg/proto/api"
	"github.com/fbsobreira/gotron-sdk/pkg/proto/core"
)

const (
	endpoint = "127.0.0.1:50051"
	feeLimit = 1_000_000_000
	patience = 30 * time.Second
)

type account struct {
	Address    string `json:"address"`
	PrivateKey string `json:"privateKey"`
}

type input struct {
	Accounts []account `json:"accounts"`
	Witness  string    `json:"witness"`
	Register struct {
		Name     string          `json:"name"`
		Bytecode string          `json:"bytecode"`
		ABI      json.RawMessage `json:"abi"`
	} `json:"register"`
}

type session struct {
	*client.GrpcClient
	owner, receiver account
	seen            map[string]any
}

func main() {
	var given input
	check(json.NewDecoder(os.Stdin).Decode(&given))
	grpc := client.NewGrpcClientWithTimeout(endpoint, 10*time.Second)
	check(grpc.Start(client.GRPCInsecure()))
	defer grpc.Stop()
	s := session{grpc, given.Accounts[0], given.Accounts[1], map[string]any{}}
	s.chain()
	s.transfer()
	s.contract(given)
	s.stake(given.Witness)
	check(json.NewEncoder(os.Stdout).Encode(s.seen))
}

func (s session) chain() {
	block := must(s.GetNowBlock())
	number := block.GetBlockHeader().GetRawData().GetNumber()
	again := must(s.GetBlockByNum(number))
	s.seen["sameBlock"] = hex.EncodeToString(block.GetBlockid()) == hex.EncodeToString(again.GetBlockid())
	s.seen["version"] = must(s.GetNodeInfo()).GetConfigNodeInfo().GetCodeVersion()
	witnesses := must(s.ListWitnesses()).GetWitnesses()
	s.seen["witness"] = address.Address(witnesses[0].GetAddress()).String()
	// java-tron 4.7.2 does not have this method.
	_, err := s.GetEnergyPrices()
	s.seen["newerMethod"] = text(err)
	_, err = s.GetAccount("TT7BrkamYwGJrPJtxxMAj5MbX7tGWp6nrH")
	s.seen["badAddress"] = err != nil
}

func (s session) transfer() {
	before := must(s.GetAccount(s.receiver.Address)).GetBalance()
	id, info := s.send(must(s.Transfer(s.owner.Address, s.receiver.Address, 1_500_000)))
	s.seen["transfer"] = map[string]any{"id": id, "block": info.GetBlockNumber()}
	s.seen["received"] = must(s.GetAccount(s.receiver.Address)).GetBalance() - before
	_, err := s.Transfer(s.owner.Address, s.receiver.Address, 1_000_000_000_000_000_000)
	s.seen["notEnough"] = text(err)
	_, err = s.GetAccount(address.PubkeyToAddress(must(keys.GenerateKey()).ToECDSA().PublicKey).String())
	s.seen["noAccount"] = text(err)

	// Signs with the key of another account. The node must reject the transaction.
	forged := must(s.Transfer(s.owner.Address, s.receiver.Address, 1)).GetTransaction()
	must(transaction.SignTransaction(forged, must(keys.GetPrivateKeyFromHex(s.receiver.PrivateKey))))
	reply, err := s.Broadcast(forged)
	s.seen["forged"] = []string{reply.GetCode().String(), text(err)}
}

func (s session) contract(given input) {
	abi := must(contract.JSONtoABI(string(given.Register.ABI)))
	code := given.Register.Bytecode + fmt.Sprintf("%064x", 5)
	_, deployed := s.send(must(s.DeployContract(s.owner.Address, given.Register.Name, abi, code, feeLimit, 100, 10_000_000)))
	at := address.Address(deployed.GetContractAddress()).String()
	entries := must(s.GetContractABI(at)).GetEntrys()
	before := s.value(at)
	estimate := must(s.EstimateEnergy(s.owner.Address, at, "set(uint256)", `[{"uint256":"42"}]`, 0, "", 0))
	_, called := s.send(must(s.TriggerContract(s.owner.Address, at, "set(uint256)", `[{"uint256":"42"}]`, feeLimit, 0, "", 0)))
	log := called.GetLog()[0]
	_, err := s.TriggerContract(s.owner.Address, s.receiver.Address, "set(uint256)", `[{"uint256":"42"}]`, feeLimit, 0, "", 0)
	failed := must(s.TriggerConstantContract(s.owner.Address, at, "other()", ""))
	s.seen["contract"] = map[string]any{
		"address":    at,
		"entries":    len(entries),
		"before":     before,
		"after":      s.value(at),
		"estimate":   estimate.GetEnergyRequired(),
		"result":     called.GetReceipt().GetResult().String(),
		"logBy":      address.Address(append([]byte{address.TronBytePrefix}, log.GetTopics()[1][12:]...)).String(),
		"logValue":   new(big.Int).SetBytes(log.GetData()).Int64(),
		"noContract": text(err),
		"revert":     []string{failed.GetResult().GetCode().String(), string(failed.GetResult().GetMessage())},
	}
}

func (s session) stake(witness string) {
	energy := core.ResourceCode_ENERGY
	s.send(must(s.FreezeBalanceV2(s.owner.Address, energy, 2_000_000_000)))
	s.send(must(s.DelegateResource(s.owner.Address, s.receiver.Address, energy, 1_000_000_000, false, 0)))
	delegated := must(s.GetDelegatedResourcesV2(s.owner.Address))
	s.seen["delegated"] = delegated[0].GetDelegatedResource()[0].GetFrozenBalanceForEnergy()
	s.seen["energyLimit"] = must(s.GetAccountResource(s.receiver.Address)).GetEnergyLimit()
	s.send(must(s.VoteWitnessAccount(s.owner.Address, map[string]int64{witness: 1500})))
	s.seen["votes"] = must(s.GetAccount(s.owner.Address)).GetVotes()[0].GetVoteCount()
	s.send(must(s.UnDelegateResource(s.owner.Address, s.receiver.Address, energy, 1_000_000_000)))
	s.send(must(s.UnfreezeBalanceV2(s.owner.Address, energy, 500_000_000)))
	s.seen["unfrozen"] = must(s.GetAccount(s.owner.Address)).GetUnfrozenV2()[0].GetUnfreezeAmount()
	refused := must(s.DelegateResource(s.owner.Address, s.receiver.Address, energy, 100_000_000_000, false, 0)).GetResult()
	s.seen["delegateTooMuch"] = []string{refused.GetCode().String(), string(refused.GetMessage())}
}

func (s session) value(at string) int64 {
	reply := must(s.TriggerConstantContract(s.owner.Address, at, "value()", ""))
	return new(big.Int).SetBytes(reply.GetConstantResult()[0]).Int64()
}

// send signs with the owner's key, broadcasts, and waits until a block contains the transaction.
func (s session) send(built *api.TransactionExtention) (string, *core.TransactionInfo) {
	signed := must(transaction.SignTransaction(built.GetTransaction(), must(keys.GetPrivateKeyFromHex(s.owner.PrivateKey))))
	must(s.Broadcast(signed))
	id := hex.EncodeToString(built.GetTxid())
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if info, err := s.GetTransactionInfoByID(id); err == nil {
			return id, info
		}
	}
	panic("no block took " + id)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}
