// Reads a chain with the clients of go-ethereum, which verify the answers. The request is JSON on standard input. The
// answer is one line of JSON with the value or the error of each JSON-RPC method.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

type request struct {
	Url     string
	Socket  string
	Head    int64
	Height  int64
	Hash    common.Hash
	Tx      common.Hash
	Owner   common.Address
	Program common.Address
	// JSON-RPC methods whose values are read.
	Methods []string
}

type reader struct {
	ctx context.Context
	in  request
	eth *ethclient.Client
	own *gethclient.Client
}

func main() {
	var in request
	must(json.NewDecoder(os.Stdin).Decode(&in))
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	client, err := rpc.DialContext(ctx, in.Url)
	must(err)
	r := reader{ctx, in, ethclient.NewClient(client), gethclient.New(client)}
	seen := map[string]string{}
	readers := r.readers()
	for _, method := range in.Methods {
		read := readers[method]
		if read == nil {
			continue
		}
		value, err := read()
		if err != nil {
			value = "error: " + err.Error()
		}
		seen[method] = value
	}
	must(json.NewEncoder(os.Stdout).Encode(seen))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (r reader) readers() map[string]func() (string, error) {
	eth, ctx, in := r.eth, r.ctx, r.in
	height := big.NewInt(in.Height)
	call := ethereum.CallMsg{From: in.Owner, To: &in.Program}
	number := func(value *big.Int, err error) (string, error) { return text(value, err) }
	return map[string]func() (string, error){
		"net_version":              func() (string, error) { return number(eth.NetworkID(ctx)) },
		"net_peerCount":            func() (string, error) { return text(eth.PeerCount(ctx)) },
		"eth_chainId":              func() (string, error) { return number(eth.ChainID(ctx)) },
		"eth_blockNumber":          func() (string, error) { return text(eth.BlockNumber(ctx)) },
		"eth_gasPrice":             func() (string, error) { return number(eth.SuggestGasPrice(ctx)) },
		"eth_maxPriorityFeePerGas": func() (string, error) { return number(eth.SuggestGasTipCap(ctx)) },
		"eth_syncing": func() (string, error) {
			progress, err := eth.SyncProgress(ctx)
			return fmt.Sprint(progress != nil), err
		},
		"eth_getBalance":          func() (string, error) { return number(eth.BalanceAt(ctx, in.Owner, height)) },
		"eth_getCode":             func() (string, error) { return bytes(eth.CodeAtHash(ctx, in.Program, in.Hash)) },
		"eth_getStorageAt":        func() (string, error) { return bytes(eth.StorageAt(ctx, in.Program, common.Hash{}, height)) },
		"eth_getTransactionCount": func() (string, error) { return text(eth.NonceAt(ctx, in.Owner, nil)) },
		"eth_getBlockByNumber":    r.blocksByNumber,
		"eth_getBlockByHash": func() (string, error) {
			block, err := eth.BlockByHash(ctx, in.Hash)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(block.NumberU64(), " ", len(block.Transactions())), nil
		},
		"eth_getBlockTransactionCountByHash": func() (string, error) { return text(eth.TransactionCount(ctx, in.Hash)) },
		"eth_getBlockTransactionCountByNumber": func() (string, error) {
			return text(eth.PendingTransactionCount(ctx))
		},
		"eth_getTransactionByHash": func() (string, error) {
			tx, pending, err := eth.TransactionByHash(ctx, in.Tx)
			if err != nil {
				return "", err
			}
			_, r, s := tx.RawSignatureValues()
			return fmt.Sprint(tx.Value(), " ", pending, " ", r, " ", s), nil
		},
		"eth_getTransactionByBlockHashAndIndex": func() (string, error) {
			tx, err := eth.TransactionInBlock(ctx, in.Hash, 0)
			if err != nil {
				return "", err
			}
			from, err := eth.TransactionSender(ctx, tx, in.Hash, 0)
			return lower(from), err
		},
		"eth_getTransactionReceipt": r.receipts,
		"eth_getBlockReceipts":      r.blockReceipts,
		"eth_getLogs": func() (string, error) {
			logs, err := eth.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: big.NewInt(0), ToBlock: big.NewInt(in.Head)})
			return fmt.Sprint(len(logs)), err
		},
		"eth_feeHistory": func() (string, error) {
			fees, err := eth.FeeHistory(ctx, 3, nil, []float64{10, 90})
			if err != nil {
				return "", err
			}
			return fmt.Sprint(fees.OldestBlock, " ", len(fees.BaseFee), " ", len(fees.GasUsedRatio), " ", len(fees.Reward)), nil
		},
		"eth_call":        func() (string, error) { return bytes(eth.CallContractAtHash(ctx, call, in.Hash)) },
		"eth_estimateGas": func() (string, error) { return text(eth.EstimateGas(ctx, call)) },
		"eth_createAccessList": func() (string, error) {
			list, _, failure, err := r.own.CreateAccessList(ctx, call)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(len(*list), failure), nil
		},
		"eth_subscribe": r.heads,
		"eth_simulateV1": func() (string, error) {
			one := []ethclient.SimulateBlock{{Calls: []ethereum.CallMsg{call}}}
			blocks, err := eth.SimulateV1(ctx, ethclient.SimulateOptions{BlockStateCalls: one}, nil)
			if err != nil {
				return "", err
			}
			return fmt.Sprint(blocks[0].Number, " ", len(blocks[0].Calls)), nil
		},
	}
}

// blocksByNumber reads every block with its transactions.
func (r reader) blocksByNumber() (string, error) {
	transactions := 0
	for at := int64(0); at <= r.in.Head; at++ {
		block, err := r.eth.BlockByNumber(r.ctx, big.NewInt(at))
		if err != nil {
			return "", fmt.Errorf("block %d: %w", at, err)
		}
		transactions += len(block.Transactions())
	}
	return fmt.Sprint(r.in.Head+1, " ", transactions), nil
}

func (r reader) receipts() (string, error) {
	receipt, err := r.eth.TransactionReceipt(r.ctx, r.in.Tx)
	if err != nil {
		return "", err
	}
	return fmt.Sprint(receipt.Status, " ", receipt.BlockNumber, " ", receipt.TransactionIndex), nil
}

// blockReceipts reads every receipt, and verifies its bloom filter with its logs.
func (r reader) blockReceipts() (string, error) {
	count := 0
	for at := int64(1); at <= r.in.Head; at++ {
		receipts, err := r.eth.BlockReceipts(r.ctx, rpc.BlockNumberOrHashWithNumber(rpc.BlockNumber(at)))
		if err != nil {
			return "", fmt.Errorf("block %d: %w", at, err)
		}
		for _, receipt := range receipts {
			if types.CreateBloom(receipt) != receipt.Bloom {
				return "", fmt.Errorf("block %d: a bloom filter is not that of its logs", at)
			}
		}
		header, err := r.eth.HeaderByNumber(r.ctx, big.NewInt(at))
		if err != nil {
			return "", err
		}
		if types.MergeBloom(receipts) != header.Bloom {
			return "", fmt.Errorf("block %d: its bloom filter is not that of its receipts", at)
		}
		count += len(receipts)
	}
	return fmt.Sprint(count), nil
}

// heads waits for the next head.
func (r reader) heads() (string, error) {
	socket, err := ethclient.DialContext(r.ctx, r.in.Socket)
	if err != nil {
		return "", err
	}
	defer socket.Close()
	heads := make(chan *types.Header)
	subscription, err := socket.SubscribeNewHead(r.ctx, heads)
	if err != nil {
		return "", err
	}
	defer subscription.Unsubscribe()
	select {
	case head := <-heads:
		return fmt.Sprint(head.Number.Int64() > r.in.Head), nil
	case err := <-subscription.Err():
		return "", err
	case <-r.ctx.Done():
		return "", r.ctx.Err()
	}
}

func text[T any](value T, err error) (string, error) { return fmt.Sprint(value), err }

func bytes(value []byte, err error) (string, error) { return fmt.Sprintf("0x%x", value), err }

func lower(address common.Address) string { return strings.ToLower(address.Hex()) }
