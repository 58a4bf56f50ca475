// Command deposits reads a topic of transfers and writes the deposits to a set of addresses into PostgreSQL, each one
// exactly once.
//
// The rows of a batch and the position in the topic are one transaction of the database. After a kill at any point, the
// program continues at the position that the database has. It commits no offsets to Kafka.
//
// Exit code: 0 after SIGINT or SIGTERM, 1 for records that are missing or that the program cannot read, 2 for any other
// failure. After exit code 2, a supervisor may restart the program.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// errRecords means that the records differ from those that the sink has written. A restart does not help.
var errRecords = errors.New("the topic cannot be used")

type options struct {
	bootstrap, topic, database, addresses, tokens string
	// batch is the maximum number of records of one transaction.
	batch int
}

func main() {
	var settings options
	flag.StringVar(&settings.bootstrap, "bootstrap", "localhost:9092", "addresses of brokers, separated by commas")
	flag.StringVar(&settings.topic, "topic", "tronicle.transfer", "topic of transfers in JSON")
	flag.StringVar(&settings.database, "database", "", "URL of the database; PGPASSWORD or ~/.pgpass have the password")
	flag.StringVar(&settings.addresses, "addresses", "", "addresses, separated by commas, or @file with lines")
	flag.StringVar(&settings.tokens, "tokens", "TRX", "TRX, ids of TRC10 assets, addresses of token contracts, or all")
	flag.IntVar(&settings.batch, "batch", 1000, "maximum number of records of one transaction")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, settings)
	switch {
	case err == nil || ctx.Err() != nil:
		return
	case errors.Is(err, errRecords):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(ctx context.Context, settings options) error {
	addresses, err := readList(settings.addresses)
	if err != nil {
		return err
	}
	if len(addresses) == 0 || settings.database == "" || settings.batch < 1 {
		return errors.New("the options -database and -addresses are required; -batch is at least 1")
	}
	for address := range addresses {
		if !isAddress(address) {
			return fmt.Errorf("%q is no address in Base58Check", address)
		}
	}
	tokens, err := readList(settings.tokens)
	if err != nil {
		return err
	}
	for token := range tokens {
		if token != "TRX" && token != "all" && !assetID.MatchString(token) && !isAddress(token) {
			return fmt.Errorf("%q is no token; use TRX, the id of a TRC10 asset, a contract or all", token)
		}
	}
	if tokens["all"] {
		tokens = nil
	}
	store, err := openStore(ctx, settings.database)
	if err != nil {
		return fmt.Errorf("the database cannot be opened: %w", err)
	}
	defer store.close()
	partitions, err := partitionsOf(ctx, settings.bootstrap, settings.topic)
	if err != nil {
		return err
	}
	positions, err := store.positions(ctx, settings.topic, partitions)
	if err != nil {
		return fmt.Errorf("the positions cannot be read: %w", err)
	}
	starts := make(map[int32]kgo.Offset)
	for partition, position := range positions {
		starts[partition] = kgo.NewOffset().AtStart()
		if position.nextOffset > 0 {
			starts[partition] = kgo.NewOffset().At(position.nextOffset)
		}
	}
	client, err := kgo.NewClient(
		kgo.SeedBrokers(strings.Split(settings.bootstrap, ",")...),
		// The client never receives records of a transaction that is uncommitted or aborted.
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		// The client has no consumer group, because the positions are in the database.
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{settings.topic: starts}),
		// Without this option, the client would continue at another offset if the topic does not have the position.
		kgo.ConsumeResetOffset(kgo.NoResetOffset()),
	)
	if err != nil {
		return err
	}
	defer client.Close()
	fmt.Printf("reading %d partitions of %s\n", len(partitions), settings.topic)
	reader := reader{addresses, tokens, positions}
	for {
		fetches := client.PollRecords(ctx, settings.batch)
		if ctx.Err() != nil {
			return nil
		}
		for _, fault := range fetches.Errors() {
			if errors.Is(fault.Err, kerr.OffsetOutOfRange) {
				return fmt.Errorf("%w: %s/%d no longer has the stored offset", errRecords, fault.Topic, fault.Partition)
			}
			return fmt.Errorf("%s/%d cannot be read: %w", fault.Topic, fault.Partition, fault.Err)
		}
		if fetches.NumRecords() == 0 {
			continue
		}
		batch, err := reader.read(fetches.Records())
		if err != nil {
			return err
		}
		if err := store.write(ctx, settings.topic, batch); err != nil {
			return fmt.Errorf("a batch cannot be written: %w", err)
		}
		if len(batch.changes) > 0 {
			last := batch.changes[len(batch.changes)-1]
			fmt.Printf("%d deposits up to block %d (%s)\n", len(batch.changes), last.BlockNumber, last.Finality)
		}
	}
}

// partitionsOf returns the numbers of all partitions of a topic. It does not create the topic.
func partitionsOf(ctx context.Context, bootstrap, topic string) ([]int32, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(bootstrap, ",")...))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	request := kmsg.NewPtrMetadataRequest()
	wanted := kmsg.NewMetadataRequestTopic()
	wanted.Topic = kmsg.StringPtr(topic)
	request.Topics = append(request.Topics, wanted)
	request.AllowAutoTopicCreation = false
	response, err := request.RequestWith(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("the brokers cannot be reached: %w", err)
	}
	var partitions []int32
	for _, found := range response.Topics {
		if err := kerr.ErrorForCode(found.ErrorCode); err != nil {
			return nil, fmt.Errorf("the topic %s cannot be read: %w", topic, err)
		}
		for _, partition := range found.Partitions {
			partitions = append(partitions, partition.Partition)
		}
	}
	return partitions, nil
}

// readList returns the elements of a list that is separated by commas, or the lines of a file after @.
func readList(text string) (map[string]bool, error) {
	if file, isFile := strings.CutPrefix(text, "@"); isFile {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text = strings.ReplaceAll(string(content), "\n", ",")
	}
	list := make(map[string]bool)
	for _, element := range strings.Split(text, ",") {
		if element = strings.TrimSpace(element); element != "" {
			list[element] = true
		}
	}
	return list, nil
}
