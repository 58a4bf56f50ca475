import { defineConfig } from 'vitepress';

// The build fails on a link to a page that does not exist. Files outside of `docs` are named as code, not linked.
export default defineConfig({
  title: 'Tronicle',
  description: 'An event-sourced full node for the TRON network',
  cleanUrls: true,
  // Angle brackets in the tables of configuration keys are text, not HTML.
  markdown: { html: false },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      { text: 'Start', link: '/' },
      { text: 'Ten questions', link: '/ten-questions' },
      { text: 'Commands', link: '/commands' },
      { text: 'GraphQL by example', link: '/graphql' },
      { text: 'Streams', link: '/streams' },
      { text: 'Kafka to your database', link: '/kafka-to-database' },
      { text: 'Ethereum tools', link: '/ethereum-tools' },
      { text: 'Index with Ponder', link: '/index-with-ponder' },
      { text: 'SDKs', link: '/sdks' },
      { text: 'Main net', link: '/main-net' },
      { text: 'Block producers', link: '/block-producers' },
      { text: 'Operations', link: '/operations' },
      { text: 'Alerts', link: '/alerts' },
      { text: 'Reliability', link: '/reliability' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Errors', link: '/errors' },
      { text: 'Differences from java-tron', link: '/differences' },
      { text: 'Decisions', link: '/decisions' },
      { text: 'Glossary', link: '/glossary' },
      { text: 'Writing', link: '/writing' },
      { text: 'Client test suites', link: '/client-suites' },
    ],
  },
});
