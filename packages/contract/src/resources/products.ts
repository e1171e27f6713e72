import * as z from 'zod';
import type { EventDeclaration } from '../event.ts';
import { describe } from '../field.ts';
import { listQuery, search } from '../list-query.ts';
import { consoleOperation, operation } from '../operation.ts';
import type { RecordDeclaration } from '../resource.ts';
import * as field from '../scalars.ts';
import { largestAmount } from '../scalars.ts';
import { appUrlOf, body, exampleRef, record, updatedAt, uuidOf } from '../shapes.ts';
import { text } from '../text.ts';

const sku = field.string({ label: text('SKU', 'SKU'), example: 'BIKE-CITY-28', max: 255 });
const ean = field.string({ label: text('EAN', 'EAN'), example: '8588001234567', max: 255 });
const name = field.string({ label: text('Name', 'Názov'), example: 'City bike 28"', max: 255 });
const description = field.string({
  label: text('Description', 'Opis'),
  example: 'Steel frame.',
  multiline: true,
});
const price = field.amount({ label: text('Price', 'Cena'), example: 450 });
const discountedPrice = field.amount({ label: text('Discounted Price', 'Zľavnená cena'), example: 399 });
const active = field.boolean({ label: text('Active', 'Aktívny'), example: true });
const stock = (en: string, sk: string, example: number) =>
  describe(z.number(), {
    label: text(en, sk),
    help: text('Only with include=stock.', 'Len s include=stock.'),
    example,
  }).optional();
const link = (file: string) => ({
  label: text('URL', 'Adresa'),
  example: `https://cdn.example.com/${file}`,
  max: 2048,
});
const title = field.string({ label: text('Title', 'Nadpis'), example: 'City bike', max: 255 });
const plain = (en: string, sk: string, example: string) =>
  field.string({ label: text(en, sk), example, max: 255 });
const categoryUuid = field.uuid({
  label: text('Category UUID', 'Kategória – UUID'),
  example: exampleRef.productCategory.id,
});
const category = { label: text('Category', 'Kategória') };

const listed = {
  uuid: uuidOf(exampleRef.product),
  sku,
  ean,
  name,
  description: description.nullable(),
  price: price.nullable(),
  discounted_price: discountedPrice.nullable(),
  active,
  category_uuid: categoryUuid.nullable(),
  updated_at: updatedAt,
  stock_on_hand: stock('Stock on Hand', 'Na sklade', 12),
  stock_available: stock('Stock Available', 'Dostupné', 9),
};

export const productLabel = text('Product', 'Produkt');

/** A product as lists show it. */
export const ProductItem = record(
  'ProductItem',
  { label: productLabel },
  { ...listed, app_url: appUrlOf('products', exampleRef.product) },
);

const image = {
  url: field.string({ ...link('city-bike.jpg'), opens: true }),
  title,
  alt_text: plain('Alternative Text', 'Alternatívny text', 'A blue city bike'),
  is_primary: field.boolean({ label: text('Primary', 'Hlavný'), example: true }),
};
const imagesText = { label: text('Images', 'Obrázky') };
const attachment = {
  url: field.string({ ...link('city-bike.pdf'), opens: true }),
  title,
  kind: plain('Kind', 'Druh', 'manual'),
  locale: plain('Locale', 'Jazyk', 'sk'),
  mime: plain('MIME Type', 'Typ MIME', 'application/pdf'),
  size_bytes: field.integer({ label: text('Size in Bytes', 'Veľkosť v bajtoch'), example: 183402 }),
};
const attachmentsText = { label: text('Attachments', 'Prílohy') };

/** A product as GET and events show it. */
export const Product = record(
  'Product',
  { label: productLabel },
  {
    ...listed,
    images: field.list(record('ProductImage', { label: text('Image', 'Obrázok') }, image), imagesText),
    attachments: field.list(
      record('ProductAttachment', { label: text('Attachment', 'Príloha') }, attachment),
      attachmentsText,
    ),
    app_url: appUrlOf('products', exampleRef.product),
  },
);

/** Images of a product, and attachments. */
const mostOfEach = 50;

/** What people edit of a product; no operation of the API takes it. */
const edited = {
  sku: field.name({ label: text('SKU', 'SKU'), example: 'BIKE-CITY-28', max: 255 }),
  ean: ean.optional(),
  name: field.name({ label: text('Name', 'Názov'), example: 'City bike 28"', max: 255 }),
  description: description.nullish(),
  price: price.nullish(),
  discounted_price: discountedPrice.nullish(),
  vat_rate: field
    .percentage({
      label: text('VAT Rate', 'Sadzba DPH'),
      help: text('Default of order items.', 'Predvolená sadzba položiek objednávky.'),
      example: 23,
    })
    .optional(),
  active: active.optional(),
  category_uuid: field.reference('product-category', category).nullish(),
  stock_on_hand: describe(z.number().min(-largestAmount).max(largestAmount), {
    label: text('Stock on Hand', 'Na sklade'),
    example: 12,
  }).optional(),
  images: field
    .list(
      body(
        'ProductImageEdit',
        { label: text('Image', 'Obrázok') },
        { ...image, url: field.webUrl(link('city-bike.jpg')) },
      ),
      { ...imagesText, max: mostOfEach },
    )
    .optional(),
  attachments: field
    .list(
      body(
        'ProductAttachmentEdit',
        { label: text('Attachment', 'Príloha') },
        { ...attachment, url: field.webUrl(link('city-bike.pdf')) },
      ),
      { ...attachmentsText, max: mostOfEach },
    )
    .optional(),
};
const CreateProduct = body('ProductCreate', { label: productLabel }, edited);
const UpdateProduct = body(
  'ProductUpdate',
  { label: productLabel },
  { ...edited, sku: edited.sku.optional(), name: edited.name.optional() },
);

const include = field
  .choice({
    label: text('Include', 'Zahrnúť'),
    help: text('With stock, the stock fields are answered too.', 'Hodnota stock pridá polia o zásobách.'),
    choices: { stock: text('Stock', 'Zásoby') },
    example: 'stock',
  })
  .optional();
const read = {
  resource: 'product',
  method: 'GET',
  scope: 'products:read',
  statuses: [200],
  errors: [],
} as const;

export const productOperations = {
  'products.list': operation({
    ...read,
    id: 'products.list',
    kind: 'list',
    path: '/products',
    query: listQuery(
      {
        q: search(text('Part of the name.', 'Časť názvu.'), 'city bike'),
        sku: sku.optional(),
        ean: ean.optional(),
        active: active.optional(),
        category_uuid: field.reference('product-category', category).optional(),
        include,
      },
      ['name', 'price'],
    ),
    answer: ProductItem,
    shape: 'list',
    title: text('List products', 'Zoznam produktov'),
    about: text('Products of the organization, page by page.', 'Produkty organizácie po stránkach.'),
  }),
  'products.get': operation({
    ...read,
    id: 'products.get',
    kind: 'get',
    path: '/products/{uuid}',
    query: z.strictObject({ include }),
    answer: Product,
    shape: 'record',
    title: text('Get a product', 'Zobraziť produkt'),
    about: text('One product with its images and attachments.', 'Jeden produkt s obrázkami a prílohami.'),
  }),
};

const edit = { resource: 'product', permissions: ['orders.edit'], answer: Product, shape: 'record' } as const;

export const productConsoleOperations = {
  'products.create': consoleOperation({
    ...edit,
    id: 'products.create',
    kind: 'create',
    method: 'POST',
    path: '/products',
    body: CreateProduct,
    errors: ['CONFLICT'],
    emits: ['product.created'],
    title: text('Create a product', 'Vytvoriť produkt'),
    about: text('Adds a product that orders can name.', 'Pridá produkt, ktorý možno objednať.'),
  }),
  'products.update': consoleOperation({
    ...edit,
    id: 'products.update',
    kind: 'update',
    method: 'PATCH',
    path: '/products/{uuid}',
    body: UpdateProduct,
    errors: ['CONFLICT'],
    emits: ['product.updated'],
    title: text('Update a product', 'Upraviť produkt'),
    about: text(
      'Changes the fields that are sent; null clears a field.',
      'Zmení poslané polia; null pole vyprázdni.',
    ),
  }),
};

const told = { entity: 'product', scope: 'products:read' } as const;

const events = {
  'product.created': {
    ...told,
    category: 'created',
    label: text('Product created', 'Produkt vytvorený'),
    description: text('A product was created.', 'Bol vytvorený produkt.'),
  },
  'product.updated': {
    ...told,
    category: 'updated',
    label: text('Product updated', 'Produkt zmenený'),
    description: text('Fields of a product were changed.', 'Zmenili sa polia produktu.'),
  },
} as const satisfies Record<string, EventDeclaration>;

export const product = {
  label: productLabel,
  plural: text('Products', 'Produkty'),
  schema: Product,
  kind: 'record',
  brief: [
    'uuid',
    'name',
    'sku',
    'ean',
    'price',
    'discounted_price',
    'active',
    'stock_on_hand',
    'stock_available',
    'app_url',
  ],
  collection: 'products',
  idField: 'uuid',
  example: exampleRef.product,
  reference: {
    list: 'products.list',
    get: 'products.get',
    value: 'uuid',
    apart: ['sku'],
    known: ['sku', 'ean'],
  },
  scope: 'products:read',
  permission: 'orders.view',
  toolSet: 'shop',
  operations: productOperations,
  consoleOperations: productConsoleOperations,
  events,
} as const satisfies RecordDeclaration;
