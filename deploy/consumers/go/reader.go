package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/twmb/franz-go/pkg/kgo"
)

// schema is the version of the records that this program reads.
const schema = "tronicle/transfer/v1"

// depositKinds are the movements that another account or contract sends. Other movements, such as rewards, are no deposits.
var depositKinds = map[string]bool{
	"transfer": true, "call": true, "internal": true, "self-destruct": true, "event": true,
}

// transfer is a record of the topic; `tronicle stream schema --topic transfer` prints its schema.
type transfer struct {
	BlockNumber   int64   `json:"blockNumber"`
	BlockHash     string  `json:"blockHash"`
	TimeStamp     int64   `json:"timeStamp"`
	Removed       bool    `json:"removed"`
	Finality      string  `json:"finality"`
	TransactionID *string `json:"transactionId"`
	Index         int32   `json:"index"`
	Kind          string  `json:"kind"`
	Standard      string  `json:"standard"`
	Token         string  `json:"token"`
	TokenID       *string `json:"tokenId"`
	From          *string `json:"from"`
	To            *string `json:"to"`
	// Amount is decimal text of up to 256 bits.
	Amount string `json:"amount"`
}

// position identifies the newest record of a partition whose deposits the database contains.
type position struct {
	nextOffset int64
	// seq and index identify the record before nextOffset; empty if there is no such record.
	seq, index string
}

// move replaces the position of a partition.
type move struct {
	before, after position
}

// batch is the content of one database transaction.
type batch struct {
	// changes has deposits in the order of each partition, including those of reverted blocks.
	changes []transfer
	moves   map[int32]move
}

// reader selects the deposits of records and verifies that no record is missing.
type reader struct {
	addresses map[string]bool
	// tokens are the tokens to select; nil to select all.
	tokens    map[string]bool
	positions map[int32]position
}

// read returns the content of the next transaction, and moves the positions after the records.
func (r *reader) read(records []*kgo.Record) (batch, error) {
	result := batch{moves: make(map[int32]move)}
	for _, record := range records {
		headers := make(map[string]string)
		for _, header := range record.Headers {
			headers[header.Key] = string(header.Value)
		}
		last := r.positions[record.Partition]
		if err := verify(record, headers, last); err != nil {
			return batch{}, err
		}
		next := position{record.Offset + 1, headers["seq"], headers["index"]}
		moved, isMoved := result.moves[record.Partition]
		if !isMoved {
			moved.before = last
		}
		moved.after = next
		result.moves[record.Partition] = moved
		r.positions[record.Partition] = next

		var found transfer
		if err := json.Unmarshal(record.Value, &found); err != nil {
			return batch{}, fault(record, "the value is no transfer: "+err.Error())
		}
		if found.Finality != "solidified" && found.Finality != "applied" {
			return batch{}, fault(record, "the finality is "+strconv.Quote(found.Finality))
		}
		if r.isDeposit(found) {
			result.changes = append(result.changes, found)
		}
	}
	return result, nil
}

func (r *reader) isDeposit(found transfer) bool {
	if found.To == nil || !r.addresses[*found.To] || !depositKinds[found.Kind] {
		return false
	}
	// A transfer to oneself changes no balance.
	if found.From != nil && *found.From == *found.To {
		return false
	}
	return r.tokens == nil || r.tokens[found.Token]
}

// verify returns an error for a record in an unknown format, and for one that does not follow the last record of its
// partition.
func verify(record *kgo.Record, headers map[string]string, last position) error {
	if _, isPart := headers["part"]; isPart || headers["content-type"] != "application/json" {
		return fault(record, "the value is not JSON in one part; the sink needs payload = json")
	}
	// Records of earlier releases have no header "schema".
	if named, isNamed := headers["schema"]; isNamed && named != schema {
		return fault(record, "the schema is "+named+", and this program reads "+schema)
	}
	if headers["seq"] == "" || headers["index"] == "" {
		return fault(record, "the record has no position; a sink of a node writes the headers seq and index")
	}
	if headers["prevSeq"] == last.seq && headers["prevIndex"] == last.index {
		return nil
	}
	previous := headers["prevSeq"] + "/" + headers["prevIndex"]
	if last.seq == "" {
		// The broker has deleted the oldest records of the topic before the first start of this program.
		fmt.Fprintf(os.Stderr, "%s/%d begins after record %s, deposits before it are missing\n",
			record.Topic, record.Partition, previous)
		return nil
	}
	return fault(record, "the record follows "+previous+", but the newest record here is "+last.seq+"/"+last.index)
}

func fault(record *kgo.Record, problem string) error {
	return fmt.Errorf("%w: %s/%d@%d: %s", errRecords, record.Topic, record.Partition, record.Offset, problem)
}
