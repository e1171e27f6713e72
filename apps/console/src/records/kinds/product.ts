import { text } from '@dealkeep/contract';
import { productBegins } from '../beginnings.ts';
import type { Presentation } from '../presentation.ts';

export const product: Presentation = {
  resource: 'product',
  path: '/products',
  icon: 'package',
  group: 'shop',
  key: 'r',
  object: text('the product', 'produkt'),
  createLabel: text('Create product', 'Vytvoriť produkt'),
  idField: 'uuid',
  reads: [['include', 'stock']],
  columns: ['name', 'sku', 'price', 'discounted_price', 'stock_available', 'active', 'updated_at'],
  labels: {
    discounted_price: text('Sale price', 'Akciová cena'),
    stock_on_hand: text('In stock', 'Na sklade'),
    stock_available: text('Available', 'Dostupné'),
    active: text('On sale', 'V predaji'),
    vat_rate: text('VAT', 'DPH'),
    'images.url': text('Address', 'Adresa'),
    'images.is_primary': text('Main picture', 'Hlavný obrázok'),
    'attachments.url': text('Address', 'Adresa'),
    'attachments.mime': text('File type', 'Typ súboru'),
    'attachments.size_bytes': text('Size in bytes', 'Veľkosť v bajtoch'),
  },
  form: [{ fields: ['name', 'sku', 'price', 'vat_rate', 'stock_on_hand', 'active', 'description'] }],
  more: ['discounted_price', 'ean', 'category_uuid', 'images', 'attachments'],
  begins: productBegins,
  page: [
    {
      heading: text('Product', 'Produkt'),
      fields: ['name', 'sku', 'ean', 'active', 'category_uuid', 'description'],
    },
    {
      heading: text('Price and stock', 'Cena a sklad'),
      fields: ['price', 'discounted_price', 'stock_on_hand', 'stock_available'],
    },
    { heading: text('Files', 'Súbory'), fields: ['images', 'attachments'] },
    { heading: text('About', 'O produkte'), fields: ['updated_at'] },
  ],
  leftOut: {
    page: { uuid: 'the address of the page holds it', app_url: 'it is this page' },
  },
  teaches: text('What you sell, with price and stock.', 'Čo predávate, s cenou a zásobami.'),
  automates: text(
    'An automation in Zapier, n8n or Activepieces can keep your shop up to date with prices and stock.',
    'Automatizácia v Zapieri, n8n alebo Activepieces môže v e-shope udržiavať ceny a zásoby.',
  ),
  views: [{ name: text('On offer', 'V ponuke'), query: 'active=true&sort=name' }],
};
