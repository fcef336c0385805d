//! Types of the platform the way a person makes them: a table.
//!
//! A type without a row is made by the public constructors and static factories of its class file. A type with a
//! row is made by these members alone, and changed by these methods alone, so that the many methods of collections
//! and builders do not swamp the search. Only members of Java 8 are listed, so that they exist at every source
//! level; an integration test resolves each row against the JDK at hand.

use bytecode::name::ClassName;

/// A type and its members, each written `owner.name(descriptor)`, a static field without a descriptor.
#[derive(Debug)]
pub struct Row {
    /// Internal name.
    pub class: &'static str,
    /// Constructors, static methods and fields, and instance methods that give a value of the type.
    pub makers: &'static [&'static str],
    /// Methods that change a value, each `name(descriptor)`, declared by the type or above it.
    pub modifiers: &'static [&'static str],
    /// Methods without parameters that tell of a value, each `name(descriptor)`.
    pub inspectors: &'static [&'static str],
}

/// The row of a class.
pub(super) fn row(class: &ClassName) -> Option<&'static Row> {
    let index = ROWS.binary_search_by(|row| row.class.cmp(class.as_str())).ok()?;
    ROWS.get(index)
}

/// Takes `owner.name(descriptor)` apart into owner, name and descriptor; the descriptor of a field is empty.
pub fn split(member: &str) -> (&str, &str, &str) {
    let end = member.find('(').unwrap_or(member.len());
    let (path, descriptor) = member.split_at(end);
    let (owner, name) = path.rsplit_once('.').unwrap_or(("", path));
    (owner, name, descriptor)
}

const SIZE: &[&str] = &["size()I", "isEmpty()Z"];
const ADD: &[&str] = &["add(Ljava/lang/Object;)Z"];
const PUT: &[&str] = &["put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"];
const APPEND: &[&str] = &[
    "append(Ljava/lang/String;)Ljava/lang/StringBuilder;",
    "append(C)Ljava/lang/StringBuilder;",
    "append(I)Ljava/lang/StringBuilder;",
];
const APPEND_BUFFER: &[&str] = &[
    "append(Ljava/lang/String;)Ljava/lang/StringBuffer;",
    "append(C)Ljava/lang/StringBuffer;",
    "append(I)Ljava/lang/StringBuffer;",
];
const TEXT: &[&str] = &["toString()Ljava/lang/String;"];
const LISTS: &[&str] = &[
    "java/util/ArrayList.<init>()V",
    "java/util/LinkedList.<init>()V",
    "java/util/Arrays.asList([Ljava/lang/Object;)Ljava/util/List;",
    "java/util/Collections.emptyList()Ljava/util/List;",
    "java/util/Collections.singletonList(Ljava/lang/Object;)Ljava/util/List;",
];
const SETS: &[&str] = &[
    "java/util/HashSet.<init>()V",
    "java/util/LinkedHashSet.<init>()V",
    "java/util/Collections.emptySet()Ljava/util/Set;",
    "java/util/Collections.singleton(Ljava/lang/Object;)Ljava/util/Set;",
];
const COLLECTIONS: &[&str] = &[
    "java/util/ArrayList.<init>()V",
    "java/util/LinkedHashSet.<init>()V",
    "java/util/Arrays.asList([Ljava/lang/Object;)Ljava/util/List;",
    "java/util/Collections.emptyList()Ljava/util/List;",
];
const TREE_SETS: &[&str] = &["java/util/TreeSet.<init>()V"];
const MAPS: &[&str] = &[
    "java/util/HashMap.<init>()V",
    "java/util/LinkedHashMap.<init>()V",
    "java/util/Collections.emptyMap()Ljava/util/Map;",
    "java/util/Collections.singletonMap(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/Map;",
];
const TREE_MAPS: &[&str] = &["java/util/TreeMap.<init>()V"];
const DEQUES: &[&str] = &["java/util/ArrayDeque.<init>()V", "java/util/LinkedList.<init>()V"];
const QUEUES: &[&str] = &[
    "java/util/LinkedList.<init>()V",
    "java/util/ArrayDeque.<init>()V",
    "java/util/PriorityQueue.<init>()V",
];
const BLOCKING: &[&str] = &["java/util/concurrent/LinkedBlockingQueue.<init>()V"];
const READERS: &[&str] = &[
    "java/io/StringReader.<init>(Ljava/lang/String;)V",
    "java/io/BufferedReader.<init>(Ljava/io/Reader;)V",
    "java/io/InputStreamReader.<init>(Ljava/io/InputStream;)V",
];
const WRITERS: &[&str] = &["java/io/StringWriter.<init>()V", "java/io/PrintWriter.<init>(Ljava/io/Writer;)V"];
const READ: &[&str] = &["read()I", "close()V"];
const WRITE: &[&str] = &["write(Ljava/lang/String;)V", "close()V"];
const BYTES_IN: &[&str] = &[
    "java/io/ByteArrayInputStream.<init>([B)V",
    "java/io/BufferedInputStream.<init>(Ljava/io/InputStream;)V",
];
const BYTES_OUT: &[&str] =
    &["java/io/ByteArrayOutputStream.<init>()V", "java/io/PrintStream.<init>(Ljava/io/OutputStream;)V"];
const WRITE_BYTES: &[&str] = &["write(I)V", "close()V"];
const DECIMALS: &[&str] = &[
    "java/math/BigDecimal.ZERO",
    "java/math/BigDecimal.ONE",
    "java/math/BigDecimal.TEN",
    "java/math/BigDecimal.valueOf(D)Ljava/math/BigDecimal;",
    "java/math/BigDecimal.valueOf(J)Ljava/math/BigDecimal;",
    "java/math/BigDecimal.valueOf(JI)Ljava/math/BigDecimal;",
    "java/math/BigDecimal.<init>(Ljava/lang/String;)V",
    "java/math/BigDecimal.<init>(Ljava/math/BigInteger;)V",
];
const INTEGERS: &[&str] = &[
    "java/math/BigInteger.ZERO",
    "java/math/BigInteger.ONE",
    "java/math/BigInteger.TEN",
    "java/math/BigInteger.valueOf(J)Ljava/math/BigInteger;",
    "java/math/BigInteger.<init>(Ljava/lang/String;)V",
    "java/math/BigInteger.<init>([B)V",
];
const FORMATS: &[&str] = &[
    "java/text/SimpleDateFormat.<init>(Ljava/lang/String;Ljava/util/Locale;)V",
    "java/text/DecimalFormat.<init>(Ljava/lang/String;Ljava/text/DecimalFormatSymbols;)V",
    "java/text/MessageFormat.<init>(Ljava/lang/String;Ljava/util/Locale;)V",
];
const TEMPORALS: &[&str] = &[
    "java/time/LocalDate.of(III)Ljava/time/LocalDate;",
    "java/time/LocalDateTime.of(IIIII)Ljava/time/LocalDateTime;",
    "java/time/Instant.ofEpochMilli(J)Ljava/time/Instant;",
];
const AMOUNTS: &[&str] =
    &["java/time/Duration.ofMillis(J)Ljava/time/Duration;", "java/time/Period.of(III)Ljava/time/Period;"];
const COMPLETED: &[&str] = &[
    "java/util/concurrent/CompletableFuture.completedFuture(Ljava/lang/Object;)Ljava/util/concurrent/CompletableFuture;",
];
const STREAMS: &[&str] = &[
    "java/util/stream/Stream.of([Ljava/lang/Object;)Ljava/util/stream/Stream;",
    "java/util/stream/Stream.empty()Ljava/util/stream/Stream;",
    "java/util/Collection.stream()Ljava/util/stream/Stream;",
];
const NODES: &[&str] = &[
    "org/w3c/dom/Document.createElement(Ljava/lang/String;)Lorg/w3c/dom/Element;",
    "org/w3c/dom/Document.createTextNode(Ljava/lang/String;)Lorg/w3c/dom/Text;",
];

const COLORS: &[&str] = &[
    "java/awt/Color.RED",
    "java/awt/Color.WHITE",
    "java/awt/Color.<init>(III)V",
    "java/awt/Color.<init>(IIII)V",
];
const PAINTS: &[&str] = &[
    "java/awt/Color.RED",
    "java/awt/Color.<init>(III)V",
    "java/awt/GradientPaint.<init>(FFLjava/awt/Color;FFLjava/awt/Color;)V",
];
const STROKES: &[&str] = &["java/awt/BasicStroke.<init>()V", "java/awt/BasicStroke.<init>(F)V"];
const SHAPES: &[&str] = &[
    "java/awt/Rectangle.<init>(IIII)V",
    "java/awt/geom/Ellipse2D$Double.<init>(DDDD)V",
    "java/awt/geom/Line2D$Double.<init>(DDDD)V",
];
const IMAGES: &[&str] = &["java/awt/image/BufferedImage.<init>(III)V"];
const TRANSFORMS: &[&str] = &[
    "java/awt/image/AffineTransformOp.<init>(Ljava/awt/geom/AffineTransform;I)V",
    "java/awt/image/AffineTransformOp.<init>(Ljava/awt/geom/AffineTransform;Ljava/awt/RenderingHints;)V",
];
const GRAPHICS: &[&str] = &["java/awt/image/BufferedImage.createGraphics()Ljava/awt/Graphics2D;"];
const BUFFERED: &[&str] = &["position()I", "limit()I", "capacity()I"];
const PATTERN: &[&str] = &["toPattern()Ljava/lang/String;"];
const BOUNDS: &[&str] = &["getX()D", "getY()D", "getWidth()D", "getHeight()D"];

const fn made(class: &'static str, makers: &'static [&'static str]) -> Row {
    Row { class, makers, modifiers: &[], inspectors: &[] }
}

const fn row_of(
    class: &'static str,
    makers: &'static [&'static str],
    modifiers: &'static [&'static str],
    inspectors: &'static [&'static str],
) -> Row {
    Row { class, makers, modifiers, inspectors }
}

/// All rows, sorted by class.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    made("java/awt/AlphaComposite", &["java/awt/AlphaComposite.SrcOver",
        "java/awt/AlphaComposite.getInstance(IF)Ljava/awt/AlphaComposite;"]),
    row_of("java/awt/BasicStroke", &["java/awt/BasicStroke.<init>()V", "java/awt/BasicStroke.<init>(F)V",
        "java/awt/BasicStroke.<init>(FIIF[FF)V"], &[], &["getLineWidth()F", "getEndCap()I", "getLineJoin()I"]),
    row_of("java/awt/Color", COLORS, &[], &["getRed()I", "getGreen()I", "getBlue()I", "getAlpha()I"]),
    made("java/awt/Composite", &["java/awt/AlphaComposite.getInstance(IF)Ljava/awt/AlphaComposite;"]),
    row_of("java/awt/Dimension", &["java/awt/Dimension.<init>(II)V"], &["setSize(II)V"],
        &["getWidth()D", "getHeight()D"]),
    row_of("java/awt/Font", &["java/awt/Font.<init>(Ljava/lang/String;II)V"], &[],
        &["getName()Ljava/lang/String;", "getStyle()I", "getSize()I"]),
    row_of("java/awt/GradientPaint", &["java/awt/GradientPaint.<init>(FFLjava/awt/Color;FFLjava/awt/Color;)V",
        "java/awt/GradientPaint.<init>(FFLjava/awt/Color;FFLjava/awt/Color;Z)V"], &[], &["isCyclic()Z"]),
    made("java/awt/Graphics", GRAPHICS),
    made("java/awt/Graphics2D", GRAPHICS),
    made("java/awt/Image", IMAGES),
    row_of("java/awt/Insets", &["java/awt/Insets.<init>(IIII)V"], &["set(IIII)V"], &[]),
    made("java/awt/LinearGradientPaint", &["java/awt/LinearGradientPaint.<init>(FFFF[F[Ljava/awt/Color;)V"]),
    made("java/awt/Paint", PAINTS),
    row_of("java/awt/Point", &["java/awt/Point.<init>(II)V"], &["translate(II)V"], &["getX()D", "getY()D"]),
    made("java/awt/RadialGradientPaint", &["java/awt/RadialGradientPaint.<init>(FFF[F[Ljava/awt/Color;)V"]),
    row_of("java/awt/Rectangle", &["java/awt/Rectangle.<init>(IIII)V"], &["translate(II)V"], BOUNDS),
    row_of("java/awt/RenderingHints", &["java/awt/RenderingHints.<init>(Ljava/util/Map;)V",
        "java/awt/RenderingHints.<init>(Ljava/awt/RenderingHints$Key;Ljava/lang/Object;)V"], PUT, SIZE),
    made("java/awt/RenderingHints$Key", &["java/awt/RenderingHints.KEY_ANTIALIASING",
        "java/awt/RenderingHints.KEY_INTERPOLATION"]),
    made("java/awt/Shape", SHAPES),
    made("java/awt/Stroke", STROKES),
    made("java/awt/color/ColorSpace", &["java/awt/color/ColorSpace.getInstance(I)Ljava/awt/color/ColorSpace;"]),
    made("java/awt/color/ICC_ColorSpace", &["java/awt/color/ICC_ColorSpace.<init>(Ljava/awt/color/ICC_Profile;)V"]),
    row_of("java/awt/color/ICC_Profile", &["java/awt/color/ICC_Profile.getInstance(I)Ljava/awt/color/ICC_Profile;"], &[],
        &["getColorSpaceType()I", "getNumComponents()I"]),
    made("java/awt/event/ActionEvent", &["java/awt/event/ActionEvent.<init>(Ljava/lang/Object;ILjava/lang/String;)V"]),
    made("java/awt/image/AffineTransformOp", TRANSFORMS),
    row_of("java/awt/image/BufferedImage", IMAGES, &["setRGB(III)V"],
        &["getWidth()I", "getHeight()I", "getType()I"]),
    made("java/awt/image/BufferedImageOp", &["java/awt/image/RescaleOp.<init>(FFLjava/awt/RenderingHints;)V",
        "java/awt/image/AffineTransformOp.<init>(Ljava/awt/geom/AffineTransform;I)V"]),
    made("java/awt/image/ByteLookupTable", &["java/awt/image/ByteLookupTable.<init>(I[B)V"]),
    made("java/awt/image/ColorConvertOp", &["java/awt/image/ColorConvertOp.<init>(Ljava/awt/RenderingHints;)V"]),
    made("java/awt/image/ColorModel", &["java/awt/image/ColorModel.getRGBdefault()Ljava/awt/image/ColorModel;"]),
    made("java/awt/image/ConvolveOp", &["java/awt/image/ConvolveOp.<init>(Ljava/awt/image/Kernel;)V",
        "java/awt/image/ConvolveOp.<init>(Ljava/awt/image/Kernel;ILjava/awt/RenderingHints;)V"]),
    row_of("java/awt/image/Kernel", &["java/awt/image/Kernel.<init>(II[F)V"], &[], &["getWidth()I", "getHeight()I"]),
    made("java/awt/image/LookupOp",
        &["java/awt/image/LookupOp.<init>(Ljava/awt/image/LookupTable;Ljava/awt/RenderingHints;)V"]),
    made("java/awt/image/LookupTable",
        &["java/awt/image/ByteLookupTable.<init>(I[B)V", "java/awt/image/ShortLookupTable.<init>(I[S)V"]),
    made("java/awt/image/Raster", &["java/awt/image/BufferedImage.getData()Ljava/awt/image/Raster;"]),
    made("java/awt/image/RenderedImage", IMAGES),
    row_of("java/awt/image/RescaleOp", &["java/awt/image/RescaleOp.<init>(FFLjava/awt/RenderingHints;)V",
        "java/awt/image/RescaleOp.<init>([F[FLjava/awt/RenderingHints;)V"], &[], &["getNumFactors()I"]),
    made("java/awt/image/SampleModel", &["java/awt/image/BufferedImage.getSampleModel()Ljava/awt/image/SampleModel;"]),
    made("java/awt/image/ShortLookupTable", &["java/awt/image/ShortLookupTable.<init>(I[S)V"]),
    made("java/awt/image/WritableRaster", &["java/awt/image/BufferedImage.getRaster()Ljava/awt/image/WritableRaster;"]),
    made("java/io/BufferedInputStream", &["java/io/BufferedInputStream.<init>(Ljava/io/InputStream;)V"]),
    made("java/io/BufferedOutputStream", &["java/io/BufferedOutputStream.<init>(Ljava/io/OutputStream;)V"]),
    made("java/io/BufferedReader", &["java/io/BufferedReader.<init>(Ljava/io/Reader;)V"]),
    made("java/io/BufferedWriter", &["java/io/BufferedWriter.<init>(Ljava/io/Writer;)V"]),
    row_of("java/io/ByteArrayInputStream", &["java/io/ByteArrayInputStream.<init>([B)V"],
        &["read()I"], &["available()I"]),
    row_of("java/io/ByteArrayOutputStream", &["java/io/ByteArrayOutputStream.<init>()V"],
        &["write(I)V"], &["toString()Ljava/lang/String;", "size()I", "toByteArray()[B"]),
    made("java/io/CharArrayWriter", &["java/io/CharArrayWriter.<init>()V"]),
    made("java/io/Closeable", &["java/io/StringReader.<init>(Ljava/lang/String;)V", "java/io/StringWriter.<init>()V"]),
    made("java/io/DataInput", &["java/io/DataInputStream.<init>(Ljava/io/InputStream;)V"]),
    made("java/io/DataOutput", &["java/io/DataOutputStream.<init>(Ljava/io/OutputStream;)V"]),
    row_of("java/io/File", &["java/io/File.<init>(Ljava/lang/String;)V",
        "java/io/File.<init>(Ljava/lang/String;Ljava/lang/String;)V",
        "java/io/File.<init>(Ljava/io/File;Ljava/lang/String;)V"], &[],
        &["getName()Ljava/lang/String;", "exists()Z", "isDirectory()Z", "length()J"]),
    made("java/io/Flushable", WRITERS),
    row_of("java/io/InputStream", BYTES_IN, READ, &[]),
    made("java/io/LineNumberReader", &["java/io/LineNumberReader.<init>(Ljava/io/Reader;)V"]),
    made("java/io/ObjectInput", &["java/io/ObjectInputStream.<init>(Ljava/io/InputStream;)V"]),
    made("java/io/ObjectOutput", &["java/io/ObjectOutputStream.<init>(Ljava/io/OutputStream;)V"]),
    row_of("java/io/OutputStream", BYTES_OUT, WRITE_BYTES, &[]),
    made("java/io/PrintStream", &["java/io/PrintStream.<init>(Ljava/io/OutputStream;)V"]),
    made("java/io/PrintWriter", &["java/io/PrintWriter.<init>(Ljava/io/Writer;)V",
        "java/io/PrintWriter.<init>(Ljava/io/OutputStream;)V"]),
    made("java/io/PushbackReader", &["java/io/PushbackReader.<init>(Ljava/io/Reader;)V"]),
    row_of("java/io/Reader", READERS, READ, &[]),
    made("java/io/StreamTokenizer", &["java/io/StreamTokenizer.<init>(Ljava/io/Reader;)V"]),
    made("java/io/StringReader", &["java/io/StringReader.<init>(Ljava/lang/String;)V"]),
    row_of("java/io/StringWriter", &["java/io/StringWriter.<init>()V"], &["write(Ljava/lang/String;)V"], TEXT),
    row_of("java/io/Writer", WRITERS, WRITE, &[]),
    made("java/lang/Appendable", &["java/lang/StringBuilder.<init>()V", "java/io/StringWriter.<init>()V"]),
    made("java/lang/AutoCloseable", &["java/io/StringReader.<init>(Ljava/lang/String;)V"]),
    made("java/lang/CharSequence", &["java/lang/StringBuilder.<init>(Ljava/lang/String;)V"]),
    made("java/lang/Cloneable", &["java/util/ArrayList.<init>()V"]),
    made("java/lang/Error", &["java/lang/Error.<init>(Ljava/lang/String;)V"]),
    made("java/lang/Exception", &["java/lang/Exception.<init>(Ljava/lang/String;)V",
        "java/lang/RuntimeException.<init>(Ljava/lang/String;)V"]),
    row_of("java/lang/Iterable", COLLECTIONS, &[], &[]),
    row_of("java/lang/Number", &["java/math/BigInteger.valueOf(J)Ljava/math/BigInteger;",
        "java/math/BigDecimal.valueOf(D)Ljava/math/BigDecimal;"], &[], &["doubleValue()D"]),
    made("java/lang/Readable", &["java/io/StringReader.<init>(Ljava/lang/String;)V"]),
    made("java/lang/RuntimeException", &["java/lang/RuntimeException.<init>(Ljava/lang/String;)V"]),
    row_of("java/lang/StringBuffer", &["java/lang/StringBuffer.<init>()V",
        "java/lang/StringBuffer.<init>(Ljava/lang/String;)V"], APPEND_BUFFER,
        &["length()I", "toString()Ljava/lang/String;"]),
    row_of("java/lang/StringBuilder", &["java/lang/StringBuilder.<init>()V",
        "java/lang/StringBuilder.<init>(Ljava/lang/String;)V"], APPEND,
        &["length()I", "toString()Ljava/lang/String;"]),
    made("java/lang/Thread", &["java/lang/Thread.<init>(Ljava/lang/String;)V",
        "java/lang/Thread.<init>(Ljava/lang/Runnable;Ljava/lang/String;)V"]),
    row_of("java/lang/Throwable", &["java/lang/Exception.<init>(Ljava/lang/String;)V",
        "java/lang/RuntimeException.<init>(Ljava/lang/String;)V",
        "java/lang/Error.<init>(Ljava/lang/String;)V"], &[], &["getMessage()Ljava/lang/String;"]),
    row_of("java/math/BigDecimal", DECIMALS, &[], &["signum()I", "scale()I", "toString()Ljava/lang/String;"]),
    row_of("java/math/BigInteger", INTEGERS, &[], &["signum()I", "toString()Ljava/lang/String;"]),
    made("java/math/MathContext", &["java/math/MathContext.DECIMAL32", "java/math/MathContext.DECIMAL64",
        "java/math/MathContext.DECIMAL128", "java/math/MathContext.UNLIMITED",
        "java/math/MathContext.<init>(I)V"]),
    made("java/net/InetAddress", &["java/net/InetAddress.getLoopbackAddress()Ljava/net/InetAddress;",
        "java/net/InetAddress.getByAddress([B)Ljava/net/InetAddress;"]),
    made("java/net/InetSocketAddress", &["java/net/InetSocketAddress.createUnresolved(Ljava/lang/String;I)Ljava/net/InetSocketAddress;"]),
    made("java/net/SocketAddress", &["java/net/InetSocketAddress.createUnresolved(Ljava/lang/String;I)Ljava/net/InetSocketAddress;"]),
    made("java/net/URI", &["java/net/URI.create(Ljava/lang/String;)Ljava/net/URI;",
        "java/net/URI.<init>(Ljava/lang/String;)V"]),
    made("java/net/URL", &["java/net/URL.<init>(Ljava/lang/String;)V"]),
    row_of("java/nio/Buffer", &["java/nio/ByteBuffer.wrap([B)Ljava/nio/ByteBuffer;"], &[], BUFFERED),
    row_of("java/nio/ByteBuffer", &["java/nio/ByteBuffer.wrap([B)Ljava/nio/ByteBuffer;",
        "java/nio/ByteBuffer.allocate(I)Ljava/nio/ByteBuffer;"], &["put(B)Ljava/nio/ByteBuffer;", "flip()Ljava/nio/Buffer;"],
        &["position()I", "limit()I", "capacity()I", "array()[B"]),
    row_of("java/nio/CharBuffer", &["java/nio/CharBuffer.wrap(Ljava/lang/CharSequence;)Ljava/nio/CharBuffer;",
        "java/nio/CharBuffer.wrap([C)Ljava/nio/CharBuffer;"], &[],
        &["toString()Ljava/lang/String;", "position()I", "limit()I", "capacity()I"]),
    row_of("java/nio/DoubleBuffer", &["java/nio/DoubleBuffer.wrap([D)Ljava/nio/DoubleBuffer;"], &[],
        &["position()I", "limit()I", "capacity()I", "array()[D"]),
    row_of("java/nio/FloatBuffer", &["java/nio/FloatBuffer.wrap([F)Ljava/nio/FloatBuffer;"], &[],
        &["position()I", "limit()I", "capacity()I", "array()[F"]),
    row_of("java/nio/IntBuffer", &["java/nio/IntBuffer.wrap([I)Ljava/nio/IntBuffer;"], &[],
        &["position()I", "limit()I", "capacity()I", "array()[I"]),
    row_of("java/nio/LongBuffer", &["java/nio/LongBuffer.wrap([J)Ljava/nio/LongBuffer;"], &[],
        &["position()I", "limit()I", "capacity()I", "array()[J"]),
    row_of("java/nio/ShortBuffer", &["java/nio/ShortBuffer.wrap([S)Ljava/nio/ShortBuffer;"], &[],
        &["position()I", "limit()I", "capacity()I", "array()[S"]),
    made("java/nio/charset/Charset", &["java/nio/charset/StandardCharsets.UTF_8",
        "java/nio/charset/StandardCharsets.US_ASCII", "java/nio/charset/StandardCharsets.ISO_8859_1",
        "java/nio/charset/StandardCharsets.UTF_16",
        "java/nio/charset/Charset.forName(Ljava/lang/String;)Ljava/nio/charset/Charset;"]),
    made("java/nio/file/Path",
        &["java/nio/file/Paths.get(Ljava/lang/String;[Ljava/lang/String;)Ljava/nio/file/Path;"]),
    made("java/security/Key", &["javax/crypto/spec/SecretKeySpec.<init>([BLjava/lang/String;)V"]),
    made("java/security/KeyPair",
        &["java/security/KeyPair.<init>(Ljava/security/PublicKey;Ljava/security/PrivateKey;)V"]),
    row_of("java/security/MessageDigest", &["java/security/MessageDigest.getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;"],
        &["update([B)V"], &["getDigestLength()I"]),
    made("java/sql/Date", &["java/sql/Date.<init>(J)V"]),
    made("java/sql/Time", &["java/sql/Time.<init>(J)V"]),
    made("java/sql/Timestamp", &["java/sql/Timestamp.<init>(J)V"]),
    made("java/text/BreakIterator", &["java/text/BreakIterator.getWordInstance(Ljava/util/Locale;)Ljava/text/BreakIterator;"]),
    made("java/text/CharacterIterator", &["java/text/StringCharacterIterator.<init>(Ljava/lang/String;)V"]),
    row_of("java/text/ChoiceFormat", &["java/text/ChoiceFormat.<init>(Ljava/lang/String;)V"], &[], PATTERN),
    made("java/text/Collator", &["java/text/Collator.getInstance(Ljava/util/Locale;)Ljava/text/Collator;"]),
    made("java/text/DateFormat", &["java/text/SimpleDateFormat.<init>(Ljava/lang/String;Ljava/util/Locale;)V"]),
    made("java/text/DateFormatSymbols", &["java/text/DateFormatSymbols.<init>(Ljava/util/Locale;)V"]),
    row_of("java/text/DecimalFormat", &[
        "java/text/DecimalFormat.<init>(Ljava/lang/String;Ljava/text/DecimalFormatSymbols;)V"], &[], PATTERN),
    made("java/text/DecimalFormatSymbols", &["java/text/DecimalFormatSymbols.<init>(Ljava/util/Locale;)V"]),
    made("java/text/FieldPosition", &["java/text/FieldPosition.<init>(I)V"]),
    made("java/text/Format", FORMATS),
    row_of("java/text/MessageFormat", &["java/text/MessageFormat.<init>(Ljava/lang/String;Ljava/util/Locale;)V"], &[], PATTERN),
    made("java/text/NumberFormat", &[
        "java/text/DecimalFormat.<init>(Ljava/lang/String;Ljava/text/DecimalFormatSymbols;)V",
        "java/text/NumberFormat.getInstance(Ljava/util/Locale;)Ljava/text/NumberFormat;",
        "java/text/NumberFormat.getIntegerInstance(Ljava/util/Locale;)Ljava/text/NumberFormat;",
        "java/text/NumberFormat.getPercentInstance(Ljava/util/Locale;)Ljava/text/NumberFormat;"]),
    row_of("java/text/ParsePosition", &["java/text/ParsePosition.<init>(I)V"],
        &["setIndex(I)V"], &["getIndex()I", "getErrorIndex()I"]),
    row_of("java/text/SimpleDateFormat",
        &["java/text/SimpleDateFormat.<init>(Ljava/lang/String;Ljava/util/Locale;)V"], &[], PATTERN),
    made("java/time/Clock", &[
        "java/time/Clock.fixed(Ljava/time/Instant;Ljava/time/ZoneId;)Ljava/time/Clock;"]),
    made("java/time/Duration", &["java/time/Duration.ofMillis(J)Ljava/time/Duration;",
        "java/time/Duration.ofSeconds(J)Ljava/time/Duration;", "java/time/Duration.ofDays(J)Ljava/time/Duration;",
        "java/time/Duration.ZERO"]),
    made("java/time/Instant", &["java/time/Instant.ofEpochMilli(J)Ljava/time/Instant;",
        "java/time/Instant.ofEpochSecond(J)Ljava/time/Instant;", "java/time/Instant.EPOCH"]),
    made("java/time/LocalDate", &["java/time/LocalDate.of(III)Ljava/time/LocalDate;",
        "java/time/LocalDate.ofEpochDay(J)Ljava/time/LocalDate;"]),
    made("java/time/LocalDateTime", &["java/time/LocalDateTime.of(IIIII)Ljava/time/LocalDateTime;",
        "java/time/LocalDateTime.of(Ljava/time/LocalDate;Ljava/time/LocalTime;)Ljava/time/LocalDateTime;"]),
    made("java/time/LocalTime", &["java/time/LocalTime.of(II)Ljava/time/LocalTime;",
        "java/time/LocalTime.of(III)Ljava/time/LocalTime;", "java/time/LocalTime.MIDNIGHT"]),
    made("java/time/MonthDay", &["java/time/MonthDay.of(II)Ljava/time/MonthDay;"]),
    made("java/time/OffsetDateTime", &["java/time/OffsetDateTime.of(Ljava/time/LocalDateTime;Ljava/time/ZoneOffset;)Ljava/time/OffsetDateTime;"]),
    made("java/time/OffsetTime", &["java/time/OffsetTime.of(Ljava/time/LocalTime;Ljava/time/ZoneOffset;)Ljava/time/OffsetTime;"]),
    made("java/time/Period", &["java/time/Period.of(III)Ljava/time/Period;",
        "java/time/Period.ofDays(I)Ljava/time/Period;", "java/time/Period.ZERO"]),
    made("java/time/Year", &["java/time/Year.of(I)Ljava/time/Year;"]),
    made("java/time/YearMonth", &["java/time/YearMonth.of(II)Ljava/time/YearMonth;"]),
    made("java/time/ZoneId", &["java/time/ZoneId.of(Ljava/lang/String;)Ljava/time/ZoneId;",
        "java/time/ZoneOffset.UTC", "java/time/ZoneOffset.ofHours(I)Ljava/time/ZoneOffset;"]),
    made("java/time/ZoneOffset", &["java/time/ZoneOffset.UTC",
        "java/time/ZoneOffset.ofHours(I)Ljava/time/ZoneOffset;"]),
    made("java/time/ZonedDateTime", &["java/time/ZonedDateTime.of(Ljava/time/LocalDateTime;Ljava/time/ZoneId;)Ljava/time/ZonedDateTime;"]),
    made("java/time/chrono/ChronoLocalDate", &["java/time/LocalDate.of(III)Ljava/time/LocalDate;"]),
    made("java/time/chrono/ChronoLocalDateTime", &["java/time/LocalDateTime.of(IIIII)Ljava/time/LocalDateTime;"]),
    made("java/time/chrono/Chronology", &["java/time/chrono/IsoChronology.INSTANCE"]),
    made("java/time/format/DateTimeFormatter", &["java/time/format/DateTimeFormatter.ISO_LOCAL_DATE",
        "java/time/format/DateTimeFormatter.ISO_LOCAL_TIME",
        "java/time/format/DateTimeFormatter.ISO_LOCAL_DATE_TIME",
        "java/time/format/DateTimeFormatter.ofPattern(Ljava/lang/String;Ljava/util/Locale;)Ljava/time/format/DateTimeFormatter;"]),
    made("java/time/temporal/Temporal", TEMPORALS),
    made("java/time/temporal/TemporalAccessor", TEMPORALS),
    made("java/time/temporal/TemporalAdjuster", TEMPORALS),
    made("java/time/temporal/TemporalAmount", AMOUNTS),
    made("java/time/temporal/TemporalField", &["java/time/temporal/ChronoField.DAY_OF_MONTH",
        "java/time/temporal/ChronoField.HOUR_OF_DAY", "java/time/temporal/ChronoField.YEAR"]),
    made("java/time/temporal/TemporalUnit", &["java/time/temporal/ChronoUnit.DAYS",
        "java/time/temporal/ChronoUnit.HOURS", "java/time/temporal/ChronoUnit.YEARS"]),
    row_of("java/util/AbstractCollection", COLLECTIONS, ADD, SIZE),
    row_of("java/util/AbstractList", &["java/util/ArrayList.<init>()V"], ADD, SIZE),
    row_of("java/util/AbstractMap", &["java/util/HashMap.<init>()V"], PUT, SIZE),
    row_of("java/util/AbstractSet", &["java/util/HashSet.<init>()V"], ADD, SIZE),
    row_of("java/util/ArrayDeque", &["java/util/ArrayDeque.<init>()V"], ADD, SIZE),
    row_of("java/util/ArrayList", &["java/util/ArrayList.<init>()V",
        "java/util/ArrayList.<init>(Ljava/util/Collection;)V"], ADD, SIZE),
    row_of("java/util/BitSet", &["java/util/BitSet.<init>()V"], &["set(I)V", "clear(I)V"],
        &["cardinality()I", "length()I", "isEmpty()Z"]),
    row_of("java/util/Calendar", &["java/util/GregorianCalendar.<init>(III)V",
        "java/util/GregorianCalendar.<init>(IIIII)V"],
        &["set(II)V", "add(II)V", "setTimeInMillis(J)V", "setTimeZone(Ljava/util/TimeZone;)V"], &["getTimeInMillis()J"]),
    row_of("java/util/Collection", COLLECTIONS, ADD, SIZE),
    made("java/util/Comparator", &["java/util/Comparator.naturalOrder()Ljava/util/Comparator;",
        "java/util/Comparator.reverseOrder()Ljava/util/Comparator;",
        "java/util/Collections.reverseOrder()Ljava/util/Comparator;",
        "java/lang/String.CASE_INSENSITIVE_ORDER"]),
    made("java/util/Currency", &["java/util/Currency.getInstance(Ljava/lang/String;)Ljava/util/Currency;"]),
    row_of("java/util/Date", &["java/util/Date.<init>(J)V"], &["setTime(J)V"], &["getTime()J"]),
    row_of("java/util/Deque", DEQUES, ADD, SIZE),
    made("java/util/Dictionary", &["java/util/Hashtable.<init>()V"]),
    row_of("java/util/EnumMap", &["java/util/EnumMap.<init>(Ljava/lang/Class;)V"], PUT, SIZE),
    row_of("java/util/EnumSet", &["java/util/EnumSet.noneOf(Ljava/lang/Class;)Ljava/util/EnumSet;",
        "java/util/EnumSet.allOf(Ljava/lang/Class;)Ljava/util/EnumSet;"], ADD, SIZE),
    row_of("java/util/Enumeration", &["java/util/Collections.enumeration(Ljava/util/Collection;)Ljava/util/Enumeration;",
        "java/util/Collections.emptyEnumeration()Ljava/util/Enumeration;"],
        &["nextElement()Ljava/lang/Object;"], &["hasMoreElements()Z"]),
    made("java/util/Formatter", &["java/util/Formatter.<init>(Ljava/util/Locale;)V"]),
    made("java/util/GregorianCalendar", &["java/util/GregorianCalendar.<init>(III)V",
        "java/util/GregorianCalendar.<init>(IIIII)V"]),
    row_of("java/util/HashMap", &["java/util/HashMap.<init>()V"], PUT, SIZE),
    row_of("java/util/HashSet", &["java/util/HashSet.<init>()V"], ADD, SIZE),
    row_of("java/util/Hashtable", &["java/util/Hashtable.<init>()V"], PUT, SIZE),
    row_of("java/util/IdentityHashMap", &["java/util/IdentityHashMap.<init>()V"], PUT, SIZE),
    row_of("java/util/Iterator", &["java/util/List.iterator()Ljava/util/Iterator;",
        "java/util/Collections.emptyIterator()Ljava/util/Iterator;"],
        &["next()Ljava/lang/Object;", "remove()V"], &["hasNext()Z"]),
    row_of("java/util/LinkedHashMap", &["java/util/LinkedHashMap.<init>()V"], PUT, SIZE),
    row_of("java/util/LinkedHashSet", &["java/util/LinkedHashSet.<init>()V"], ADD, SIZE),
    row_of("java/util/LinkedList", &["java/util/LinkedList.<init>()V",
        "java/util/LinkedList.<init>(Ljava/util/Collection;)V"], ADD, SIZE),
    row_of("java/util/List", LISTS, ADD, SIZE),
    row_of("java/util/ListIterator", &["java/util/List.listIterator()Ljava/util/ListIterator;",
        "java/util/Collections.emptyListIterator()Ljava/util/ListIterator;"],
        &["next()Ljava/lang/Object;", "previous()Ljava/lang/Object;", "remove()V", "add(Ljava/lang/Object;)V",
            "set(Ljava/lang/Object;)V"], &["hasNext()Z", "hasPrevious()Z", "nextIndex()I"]),
    made("java/util/Locale", &["java/util/Locale.ENGLISH", "java/util/Locale.US", "java/util/Locale.GERMANY",
        "java/util/Locale.FRANCE", "java/util/Locale.JAPAN", "java/util/Locale.ROOT",
        "java/util/Locale.forLanguageTag(Ljava/lang/String;)Ljava/util/Locale;",
        "java/util/Locale.<init>(Ljava/lang/String;)V",
        "java/util/Locale.<init>(Ljava/lang/String;Ljava/lang/String;)V",
        "java/util/Locale.<init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V"]),
    row_of("java/util/Map", MAPS, PUT, SIZE),
    row_of("java/util/Map$Entry", &["java/util/AbstractMap$SimpleEntry.<init>(Ljava/lang/Object;Ljava/lang/Object;)V"],
        &["setValue(Ljava/lang/Object;)Ljava/lang/Object;"], &[]),
    row_of("java/util/NavigableMap", TREE_MAPS, PUT, SIZE),
    row_of("java/util/NavigableSet", TREE_SETS, ADD, SIZE),
    row_of("java/util/Optional", &["java/util/Optional.empty()Ljava/util/Optional;",
        "java/util/Optional.of(Ljava/lang/Object;)Ljava/util/Optional;"], &[], &["isPresent()Z"]),
    row_of("java/util/OptionalDouble", &["java/util/OptionalDouble.empty()Ljava/util/OptionalDouble;",
        "java/util/OptionalDouble.of(D)Ljava/util/OptionalDouble;"], &[], &["isPresent()Z"]),
    row_of("java/util/OptionalInt", &["java/util/OptionalInt.empty()Ljava/util/OptionalInt;",
        "java/util/OptionalInt.of(I)Ljava/util/OptionalInt;"], &[], &["isPresent()Z"]),
    row_of("java/util/OptionalLong", &["java/util/OptionalLong.empty()Ljava/util/OptionalLong;",
        "java/util/OptionalLong.of(J)Ljava/util/OptionalLong;"], &[], &["isPresent()Z"]),
    row_of("java/util/PrimitiveIterator$OfInt", &["java/util/stream/IntStream.iterator()Ljava/util/PrimitiveIterator$OfInt;"],
        &["nextInt()I"], &["hasNext()Z"]),
    row_of("java/util/PriorityQueue", &["java/util/PriorityQueue.<init>()V"], ADD, SIZE),
    row_of("java/util/Properties", &["java/util/Properties.<init>()V"],
        &["setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;"], SIZE),
    made("java/util/PropertyResourceBundle", &["java/util/PropertyResourceBundle.<init>(Ljava/io/Reader;)V"]),
    row_of("java/util/Queue", QUEUES, ADD, SIZE),
    made("java/util/Random", &["java/util/Random.<init>(J)V"]),
    made("java/util/ResourceBundle", &["java/util/PropertyResourceBundle.<init>(Ljava/io/Reader;)V"]),
    made("java/util/Scanner", &["java/util/Scanner.<init>(Ljava/lang/String;)V"]),
    row_of("java/util/Set", SETS, ADD, SIZE),
    row_of("java/util/SortedMap", TREE_MAPS, PUT, SIZE),
    row_of("java/util/SortedSet", TREE_SETS, ADD, SIZE),
    made("java/util/Spliterator", &["java/util/Collection.spliterator()Ljava/util/Spliterator;"]),
    row_of("java/util/Stack", &["java/util/Stack.<init>()V"],
        &["push(Ljava/lang/Object;)Ljava/lang/Object;"], SIZE),
    row_of("java/util/StringTokenizer", &["java/util/StringTokenizer.<init>(Ljava/lang/String;)V",
        "java/util/StringTokenizer.<init>(Ljava/lang/String;Ljava/lang/String;)V"],
        &["nextToken()Ljava/lang/String;"], &["hasMoreTokens()Z", "countTokens()I"]),
    made("java/util/TimeZone", &["java/util/TimeZone.getTimeZone(Ljava/lang/String;)Ljava/util/TimeZone;",
        "java/util/SimpleTimeZone.<init>(ILjava/lang/String;)V"]),
    row_of("java/util/TreeMap", &["java/util/TreeMap.<init>()V",
        "java/util/TreeMap.<init>(Ljava/util/Comparator;)V"], PUT, SIZE),
    row_of("java/util/TreeSet", &["java/util/TreeSet.<init>()V",
        "java/util/TreeSet.<init>(Ljava/util/Comparator;)V"], ADD, SIZE),
    made("java/util/UUID", &["java/util/UUID.<init>(JJ)V",
        "java/util/UUID.fromString(Ljava/lang/String;)Ljava/util/UUID;"]),
    row_of("java/util/Vector", &["java/util/Vector.<init>()V"], ADD, SIZE),
    row_of("java/util/WeakHashMap", &["java/util/WeakHashMap.<init>()V"], PUT, SIZE),
    row_of("java/util/concurrent/BlockingDeque", &["java/util/concurrent/LinkedBlockingDeque.<init>()V"], ADD, SIZE),
    row_of("java/util/concurrent/BlockingQueue", BLOCKING, ADD, SIZE),
    made("java/util/concurrent/CompletableFuture", COMPLETED),
    made("java/util/concurrent/CompletionStage", COMPLETED),
    row_of("java/util/concurrent/ConcurrentHashMap", &["java/util/concurrent/ConcurrentHashMap.<init>()V"], PUT, SIZE),
    row_of("java/util/concurrent/ConcurrentMap", &["java/util/concurrent/ConcurrentHashMap.<init>()V"], PUT, SIZE),
    made("java/util/concurrent/Future", COMPLETED),
    row_of("java/util/concurrent/atomic/AtomicBoolean", &["java/util/concurrent/atomic/AtomicBoolean.<init>(Z)V"],
        &["set(Z)V"], &["get()Z"]),
    row_of("java/util/concurrent/atomic/AtomicInteger", &["java/util/concurrent/atomic/AtomicInteger.<init>(I)V"],
        &["set(I)V"], &[]),
    row_of("java/util/concurrent/atomic/AtomicIntegerArray", &["java/util/concurrent/atomic/AtomicIntegerArray.<init>([I)V"],
        &["set(II)V"], &["length()I"]),
    row_of("java/util/concurrent/atomic/AtomicLong", &["java/util/concurrent/atomic/AtomicLong.<init>(J)V"],
        &["set(J)V"], &[]),
    row_of("java/util/concurrent/atomic/AtomicLongArray", &["java/util/concurrent/atomic/AtomicLongArray.<init>([J)V"],
        &["set(IJ)V"], &["length()I"]),
    row_of("java/util/concurrent/atomic/AtomicReference",
        &["java/util/concurrent/atomic/AtomicReference.<init>(Ljava/lang/Object;)V"],
        &["set(Ljava/lang/Object;)V"], &[]),
    made("java/util/concurrent/locks/Condition", &["java/util/concurrent/locks/Lock.newCondition()Ljava/util/concurrent/locks/Condition;"]),
    made("java/util/concurrent/locks/Lock", &["java/util/concurrent/locks/ReentrantLock.<init>()V"]),
    made("java/util/concurrent/locks/ReadWriteLock", &["java/util/concurrent/locks/ReentrantReadWriteLock.<init>()V"]),
    made("java/util/function/BinaryOperator", &[
        "java/util/function/BinaryOperator.minBy(Ljava/util/Comparator;)Ljava/util/function/BinaryOperator;",
        "java/util/function/BinaryOperator.maxBy(Ljava/util/Comparator;)Ljava/util/function/BinaryOperator;"]),
    made("java/util/function/Function",
        &["java/util/function/Function.identity()Ljava/util/function/Function;"]),
    made("java/util/function/Predicate",
        &["java/util/function/Predicate.isEqual(Ljava/lang/Object;)Ljava/util/function/Predicate;"]),
    made("java/util/function/UnaryOperator",
        &["java/util/function/UnaryOperator.identity()Ljava/util/function/UnaryOperator;"]),
    row_of("java/util/jar/Attributes", &["java/util/jar/Attributes.<init>()V"],
        &["putValue(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;"], SIZE),
    made("java/util/jar/Manifest", &["java/util/jar/Manifest.<init>()V"]),
    made("java/util/logging/Logger", &["java/util/logging/Logger.getAnonymousLogger()Ljava/util/logging/Logger;"]),
    row_of("java/util/regex/MatchResult",
        &["java/util/regex/Pattern.matcher(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;"], &[], &[]),
    row_of("java/util/regex/Matcher",
        &["java/util/regex/Pattern.matcher(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;"],
        &["find()Z", "matches()Z"], &["groupCount()I"]),
    made("java/util/regex/Pattern", &["java/util/regex/Pattern.compile(Ljava/lang/String;)Ljava/util/regex/Pattern;",
        "java/util/regex/Pattern.compile(Ljava/lang/String;I)Ljava/util/regex/Pattern;"]),
    made("java/util/stream/BaseStream", STREAMS),
    made("java/util/stream/Collector", &["java/util/stream/Collectors.toList()Ljava/util/stream/Collector;",
        "java/util/stream/Collectors.toSet()Ljava/util/stream/Collector;"]),
    made("java/util/stream/DoubleStream", &["java/util/stream/DoubleStream.of([D)Ljava/util/stream/DoubleStream;"]),
    made("java/util/stream/IntStream", &["java/util/stream/IntStream.of([I)Ljava/util/stream/IntStream;"]),
    made("java/util/stream/LongStream", &["java/util/stream/LongStream.of([J)Ljava/util/stream/LongStream;"]),
    made("java/util/stream/Stream", STREAMS),
    row_of("java/util/zip/Checksum", &["java/util/zip/CRC32.<init>()V", "java/util/zip/Adler32.<init>()V"],
        &["update(I)V"], &["getValue()J"]),
    made("javax/crypto/SecretKey", &["javax/crypto/spec/SecretKeySpec.<init>([BLjava/lang/String;)V"]),
    row_of("javax/security/auth/callback/NameCallback",
        &["javax/security/auth/callback/NameCallback.<init>(Ljava/lang/String;)V"],
        &["setName(Ljava/lang/String;)V"], &["getName()Ljava/lang/String;", "getPrompt()Ljava/lang/String;"]),
    row_of("javax/security/auth/callback/PasswordCallback",
        &["javax/security/auth/callback/PasswordCallback.<init>(Ljava/lang/String;Z)V"],
        &["setPassword([C)V"], &["getPassword()[C", "isEchoOn()Z"]),
    made("javax/xml/parsers/DocumentBuilder", &["javax/xml/parsers/DocumentBuilderFactory.newDocumentBuilder()Ljavax/xml/parsers/DocumentBuilder;"]),
    made("javax/xml/parsers/DocumentBuilderFactory", &["javax/xml/parsers/DocumentBuilderFactory.newInstance()Ljavax/xml/parsers/DocumentBuilderFactory;"]),
    made("javax/xml/transform/Result", &["javax/xml/transform/stream/StreamResult.<init>(Ljava/io/Writer;)V"]),
    made("javax/xml/transform/Source", &["javax/xml/transform/stream/StreamSource.<init>(Ljava/io/Reader;)V"]),
    made("org/w3c/dom/Attr", &["org/w3c/dom/Document.createAttribute(Ljava/lang/String;)Lorg/w3c/dom/Attr;"]),
    made("org/w3c/dom/Comment", &["org/w3c/dom/Document.createComment(Ljava/lang/String;)Lorg/w3c/dom/Comment;"]),
    row_of("org/w3c/dom/Document", &["javax/xml/parsers/DocumentBuilder.newDocument()Lorg/w3c/dom/Document;"],
        &["appendChild(Lorg/w3c/dom/Node;)Lorg/w3c/dom/Node;"], &[]),
    made("org/w3c/dom/DocumentFragment", &["org/w3c/dom/Document.createDocumentFragment()Lorg/w3c/dom/DocumentFragment;"]),
    row_of("org/w3c/dom/Element", &["org/w3c/dom/Document.createElement(Ljava/lang/String;)Lorg/w3c/dom/Element;"],
        &["appendChild(Lorg/w3c/dom/Node;)Lorg/w3c/dom/Node;", "setAttribute(Ljava/lang/String;Ljava/lang/String;)V"],
        &["getTagName()Ljava/lang/String;"]),
    made("org/w3c/dom/NamedNodeMap", &["org/w3c/dom/Node.getAttributes()Lorg/w3c/dom/NamedNodeMap;"]),
    row_of("org/w3c/dom/Node", NODES, &["appendChild(Lorg/w3c/dom/Node;)Lorg/w3c/dom/Node;"],
        &["getNodeName()Ljava/lang/String;"]),
    row_of("org/w3c/dom/NodeList", &["org/w3c/dom/Node.getChildNodes()Lorg/w3c/dom/NodeList;"], &[], &["getLength()I"]),
    made("org/w3c/dom/Text", &["org/w3c/dom/Document.createTextNode(Ljava/lang/String;)Lorg/w3c/dom/Text;"]),
    made("org/xml/sax/Attributes", &["org/xml/sax/helpers/AttributesImpl.<init>()V"]),
    made("org/xml/sax/ContentHandler", &["org/xml/sax/helpers/DefaultHandler.<init>()V"]),
    made("org/xml/sax/DTDHandler", &["org/xml/sax/helpers/DefaultHandler.<init>()V"]),
    made("org/xml/sax/EntityResolver", &["org/xml/sax/helpers/DefaultHandler.<init>()V"]),
    made("org/xml/sax/ErrorHandler", &["org/xml/sax/helpers/DefaultHandler.<init>()V"]),
    made("org/xml/sax/InputSource", &["org/xml/sax/InputSource.<init>(Ljava/io/Reader;)V",
        "org/xml/sax/InputSource.<init>(Ljava/lang/String;)V"]),
    made("org/xml/sax/Locator", &["org/xml/sax/helpers/LocatorImpl.<init>()V"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_found() {
        assert!(ROWS.is_sorted_by(|a, b| a.class < b.class), "the rows are searched by bisection");
        assert!(row(&"java/util/List".into()).is_some() && row(&"java/util/Lis".into()).is_none());
    }
}
